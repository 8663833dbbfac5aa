package memory

import (
	"context"
	"testing"
)

func TestDeletingAFileRemovesItsText(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	in := incoming("e", "m", "Read this.", false)
	in.Files = []File{{PlatformID: "f", Name: "a.txt", Link: "https://files.example/a"}}
	r, err := s.Queue.Receive(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	d := Document{SessionID: r.Session.ID, ChannelID: r.Session.ChannelID, Name: "a.txt", State: DocumentReady}
	if _, err := s.writer.NewInsert().Model(&d).ExcludeColumn("id").Returning("id").Exec(ctx); err != nil {
		t.Fatal(err)
	}
	// Without the channel, as not every platform tells it.
	files, err := s.FilesByPlatformID(ctx, Key{Platform: "test", Workspace: "w"}, "f")
	if err != nil || len(files) != 1 {
		t.Fatalf("%+v %v", files, err)
	}
	if err := s.SetFileResult(ctx, files[0].ID, 0, FileFailed, "deleted"); err != nil {
		t.Fatal(err)
	}
	if err := s.SetFileResult(ctx, files[0].ID, d.ID, FileRead, ""); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Document(ctx, d.ID); err != nil || got.RemovedAt == 0 {
		t.Errorf("%+v %v", got, err)
	}
}
