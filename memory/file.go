package memory

import (
	"context"
	"errors"
	"fmt"

	"github.com/uptrace/bun"
)

func (s *Store) attach(ctx context.Context, tx bun.Tx, m *Message, files []File) error {
	for _, f := range files {
		f.SessionID, f.MessageID, f.State = m.SessionID, m.ID, FileWaiting
		if _, err := tx.NewInsert().Model(&f).ExcludeColumn("id").Returning("NULL").
			On("CONFLICT (message_id, platform_id) DO NOTHING").Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// WaitingFiles returns the attachments of a session still to be read, oldest first,
// of messages that were not erased.
func (s *Store) WaitingFiles(ctx context.Context, session int64) (files []*File, err error) {
	err = s.reader.NewSelect().Model(&files).
		Join("JOIN messages AS m ON m.id = f.message_id AND m.erased_at = 0").
		Where("f.session_id = ? AND f.state = ?", session, FileWaiting).Order("f.id").Scan(ctx)
	return files, err
}

// SetFileResult records the outcome of an attachment; reason says why it failed. If the attachment no
// longer waits, because it or its message was deleted, the document is removed too.
func (s *Store) SetFileResult(ctx context.Context, id, document int64, state FileState, reason string) error {
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		waited, err := affects(tx.NewUpdate().Model((*File)(nil)).Set("document_id = ?, state = ?, reason = ?", document, state, reason).
			Where("id = ? AND state = ?", id, FileWaiting).Exec(ctx))
		if waited || err != nil || document == 0 {
			return err
		}
		return s.removeDocument(ctx, tx, document)
	})
	return wrap("record file", err)
}

// RemoveFile erases the name of an attachment that is not a document, and the answers that name it. A turn that runs there begins
// again, or ends if its message was the file alone. SecureErase erases them from the file.
func (s *Store) RemoveFile(ctx context.Context, f *File) error {
	for more := true; more; {
		err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
			m := new(Message)
			if err := tx.NewSelect().Model(m).Where("id = ?", f.MessageID).Scan(ctx); err != nil {
				return err
			}
			answers, err := s.naming(ctx, tx, []named{{m.ChannelID, m.ID, f.Name}}, leaving{})
			if err != nil {
				return err
			}
			if more, err = s.eraseAnswers(ctx, tx, 0, answers); err != nil || more {
				return err
			}
			if err := s.Queue.unnameFiles(ctx, tx, "id", f.ID); err != nil {
				return err
			}
			return s.Queue.retakeWithout(ctx, tx, m)
		})
		if err != nil {
			return fmt.Errorf("memory: remove file: %w", err)
		}
	}
	return nil
}

// retakeWithout has a turn begin again that may be about to name a file of a message which is gone; with nothing else to answer it ends.
func (q *Queue) retakeWithout(ctx context.Context, tx bun.Tx, m *Message) error {
	left, err := tx.NewSelect().Model((*File)(nil)).Where("message_id = ? AND name <> ''", m.ID).Exists(ctx)
	if err != nil || left || m.Text != "" {
		return errors.Join(err, q.retakeTurn(ctx, tx, m.SessionID))
	}
	_, err = q.interrupt(ctx, tx, m.SessionID, m.ID, StopErased)
	return err
}

// unnameFiles erases the names of the files whose column is id. A thread that was named after one is
// named anew.
func (q *Queue) unnameFiles(ctx context.Context, tx bun.IDB, column string, id int64) error {
	var messages []*Message
	err := tx.NewSelect().Model(&messages).Where("text = '' AND id IN (SELECT message_id FROM files WHERE ? = ?)", bun.Ident(column), id).Scan(ctx)
	if err != nil {
		return err
	}
	if err := exec(ctx, tx, `UPDATE files SET name = '', locator = '', link = '' WHERE ? = ?`, bun.Ident(column), id); err != nil {
		return err
	}
	for _, m := range messages {
		if err := q.retitle(ctx, tx, m); err != nil {
			return err
		}
	}
	return nil
}

// FilesOf returns the attachments of messages, oldest first.
func (s *Store) FilesOf(ctx context.Context, messages []int64) (files []*File, err error) {
	err = s.reader.NewSelect().Model(&files).Where("message_id IN (?)", bun.List(messages)).Order("id").Scan(ctx)
	return files, err
}

// FilesByPlatformID returns the attachments the platform knows by this id in the channel of a
// key, in the whole workspace if the key names none: a platform need not say
// where a deleted file was. Those in the channels kept are left out.
func (s *Store) FilesByPlatformID(ctx context.Context, key Key, platformID string, kept ...string) (files []*File, err error) {
	q := s.reader.NewSelect().Model(&files).
		Join("JOIN sessions AS s ON s.id = f.session_id").
		Where("s.platform = ? AND s.workspace = ? AND f.platform_id = ?", key.Platform, key.Workspace, platformID)
	if key.Channel != "" {
		q = q.Where("s.channel = ?", key.Channel)
	}
	if len(kept) > 0 {
		q = q.Where("s.channel NOT IN (?)", bun.List(kept))
	}
	err = q.Order("f.id").Scan(ctx)
	return files, err
}

// FilesWith returns the platform ids of the attachments of a message of a channel, without those that are gone.
func (s *Store) FilesWith(ctx context.Context, channel Key, message string) (ids []string, err error) {
	err = s.reader.NewSelect().Model((*File)(nil)).Column("f.platform_id").
		Join("JOIN messages AS m ON m.id = f.message_id").Join("JOIN channels AS c ON c.id = m.channel_id").
		Where("c.platform = ? AND c.workspace = ? AND c.channel = ? AND m.platform_id = ? AND f.name <> ''", channel.Platform, channel.Workspace, channel.Channel, message).
		Order("f.id").Scan(ctx, &ids)
	return ids, wrap("look for the files of a message", err)
}

// FileLink is an SQL expression: the link to document d, "" if there is none.
const FileLink = `COALESCE((SELECT f.link FROM files AS f WHERE f.document_id = d.id AND f.link <> '' ORDER BY f.id LIMIT 1), '')`

// DocumentLink returns the link to a document, "" if there is none.
func (s *Store) DocumentLink(ctx context.Context, document int64) (link string, err error) {
	err = s.reader.NewSelect().Model((*Document)(nil)).ColumnExpr(FileLink).Where("d.id = ? AND d.removed_at = 0", document).Scan(ctx, &link)
	return link, orNone(err)
}

// Document returns the document with this id, even a failed or removed one, or
// ErrNotFound.
func (s *Store) Document(ctx context.Context, id int64) (*Document, error) {
	return first[Document](ctx, s.reader, "id = ?", id)
}
