package slack

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	slackapi "github.com/slack-go/slack"

	"threadkeeper/memory"
)

type identity struct {
	Team string // T…
	User string // U…, our user
	Bot  string // B…
	URL  string // of the workspace, ends with "/"
	Name string // our user's; people see another one where they gave it one
}

type self struct {
	mu    sync.Mutex
	known identity
}

func (a *Adapter) identify(ctx context.Context) (identity, error) {
	a.self.mu.Lock()
	defer a.self.mu.Unlock()
	if a.self.known.User != "" {
		return a.self.known, nil
	}
	r, err := a.authTest(ctx)
	if err != nil {
		return identity{}, err
	}
	a.self.known = identity{Team: r.TeamID, User: r.UserID, Bot: r.BotID, URL: r.URL, Name: r.User}
	return a.self.known, nil
}

// OwnNames returns our user's name and our display name.
func (a *Adapter) OwnNames(ctx context.Context, _ memory.Key) []string {
	ctx, cancel := context.WithTimeout(ctx, a.LookUp)
	defer cancel()
	us, err := a.identify(ctx)
	if err != nil {
		return nil
	}
	names := []string{us.Name}
	if shown := a.person(ctx, us.User, false).Name; shown != "" && shown != us.Name {
		names = append(names, shown)
	}
	return names
}

// identifyUntilDone identifies us as long as it takes, unless the token is no good.
func (a *Adapter) identifyUntilDone(ctx context.Context) (identity, error) {
	pause := backoff.NewExponentialBackOff()
	pause.MaxInterval = 30 * time.Second
	return backoff.Retry(ctx, func() (identity, error) {
		us, err := a.identify(ctx)
		if code := badTokenCode(err); code != "" {
			return us, backoff.Permanent(&tokenError{code})
		}
		return us, err
	}, backoff.WithBackOff(pause), backoff.WithMaxElapsedTime(0),
		backoff.WithNotify(func(err error, d time.Duration) { a.Log.Warn("could not reach Slack", "error", err, "again_in", d) }))
}

type tokenError struct{ code string }

func (e *tokenError) Error() string {
	return fmt.Sprintf("slack: the bot token is refused (%s): set SLACK_BOT_TOKEN to the xoxb-… token of the installed app", e.code)
}

// removed reports whether err is a refusal that a token meets when the app was removed.
func removed(err error) bool {
	code := badTokenCode(err)
	var refused *tokenError
	if errors.As(err, &refused) {
		code = refused.code
	}
	return code == "account_inactive" || code == "token_revoked"
}

// badTokenCodes are the error codes that say a token will never do
// (https://docs.slack.dev/reference/methods/auth.test).
var badTokenCodes = map[string]bool{"invalid_auth": true, "not_authed": true, "account_inactive": true, "token_revoked": true,
	"token_expired": true, "not_allowed_token_type": true, "missing_scope": true, "no_permission": true, "org_login_required": true}

func badTokenCode(err error) string {
	var r slackapi.SlackErrorResponse
	if errors.As(err, &r) && badTokenCodes[r.Err] {
		return r.Err
	}
	return ""
}
