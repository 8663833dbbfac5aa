package memory

// ByMigrations makes a new database by the migrations, one by one.
func ByMigrations(c *core) { c.dialect = stepwise{} }

type stepwise struct{ sqlite }

func (stepwise) schema() string { return "" }
