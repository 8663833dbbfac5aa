// Package bot handles the life of an event: from a platform's wire into the inbox,
// through a turn, and back. It owns the workers, leases, deliveries and commands. Its
// tables belong to package memory, the contract with platforms to package platform, the
// words to package say.
//
// An event takes one of two lanes. Messages to answer are ordered within their session: one
// worker at a time holds its lease and takes a turn. All other events apply at once, beside
// the running turn, which learns from the store that it must end.
//
//	                  platform.Handler.Receive
//	                             │
//	                       Bot.receive                    acknowledged when it returns nil
//	       ┌─────────────────────┴──────────────────┐
//	 a message                              all other events
//	       │                                        │
//	receiveMessage                    ┌─────────────┴─────────────┐
//	decide: is it for us?         command, click,          edit, deletion,
//	yes, no or maybe              file gone                channel moved
//	complete: look-ups                │                           │
//	       ├─ it says a command ─▶ receiveQuick              applied here:
//	       │                          │                      Queue.ReceiveEdit,
//	Queue.Receive                Queue.Receive               Queue.ReceiveErase, …
//	═════ inbox ═════════════════ inbox ══════               changed: nudge the turn
//	       │                          │
//	dispatch                     runCommands                 several at once, those of a
//	claim: the session's lease   tryCommand                  session in turn, stop at any time
//	work, renew ◀─── nudge ───── runCommand
//	       │          (stop)     carryOut: command, click, fileGone
//	turn.run                          │
//	turn.answer: backfill,       closeCommand
//	attachments, chains.Call          │
//	       │                          │
//	OutboxMakeReady              InboxCloseCommand           the row's end and the post,
//	═════ outbox ════════════════ outbox ═════               in one transaction
//	       │                          │
//	turn.finish                  deliveries
//	turn.deliver                 deliverOne
//	       └────────────┬─────────────┘
//	               Bot.deliver: Find, Post, Edit, Upload
//	       ┌────────────┴─────────────┐
//	FinishTurn, fenced by the    OutboxFinish
//	lease; the session is free
//
// A message that may be for us is overheard. Its row waits in the inbox for the end of its burst
// (memory/inbox_overheard.go), unless the burst contains a message that is certainly for us. Its turn
// shows nothing and ends in Queue.FinishInSilence without a post. If the model does answer, the turn
// first becomes an ordinary one (turn.takeUp).
//
// While a turn runs, turnView shows it: status, then text as it grows. Compaction, erasure in
// the file and clean-up run beside both lanes (background.go), and so does the search for messages
// that are gone from their platform (absence.go).
package bot
