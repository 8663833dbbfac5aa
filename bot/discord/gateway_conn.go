package discord

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// gatewayConn is a connection to the gateway as discordgo v0.29.0 may see it: Read lets through
// what the library takes safely, and the rest is done here. The library
//
//   - reads without a deadline: here every read has one;
//   - locks itself up on op 7 as the first packet, identifies anew at once on op 9 and
//     has a nil dereference when op 1 meets a close: it sees none of the three;
//   - panics on a packet that is null, on a heartbeat interval of 0 and on null in the
//     lists of a guild: packets are checked, and events carry a type it does not
//     decode, so that it passes on their raw data;
//   - resumes only at the address where it connected first and only as long as it has
//     not closed by itself: a RESUME takes the place of its IDENTIFY.
type gatewayConn struct {
	net.Conn
	in        *bufio.Reader
	session   *session
	patience  silenceLimits
	log       *slog.Logger
	interval  time.Duration // of heartbeats, 0 before the gateway has named it
	acked     time.Time     // when the gateway last confirmed one
	unread    []byte        // what discordgo may read next
	fragments []byte        // fragments of an unfinished message

	out        sync.Mutex // orders frames we write between those of discordgo
	ready      bool       // the handshake is over
	identified bool       // IDENTIFY or RESUME was sent
	resume     []byte     // in place of IDENTIFY, nil for none

	once  sync.Once
	ended chan struct{} // closed by cut
	cause error         // why, once ended
}

// silenceLimits is how long the gateway may be silent.
type silenceLimits struct {
	Hello time.Duration // before it has named the heartbeat interval
	Write time.Duration // for one write
}

// Causes of a connection's end.
var (
	errReconnect = errors.New("discord: the gateway asks to reconnect")
	errInvalid   = errors.New("discord: the gateway refused the session")
	errZombie    = errors.New("discord: the gateway does not answer heartbeats")
	errProtocol  = errors.New("discord: the gateway sent what it should not")
	errStopped   = errors.New("discord: stopped")
)

const (
	maxHead        = 64 << 10 // bytes of the handshake's answer
	maxPacket      = 64 << 20
	maxHeartbeat   = 10 * time.Minute
	missedBeats    = 2 // of silence until a connection is given up
	missedAcks     = 3 // of other traffic only
	opcodeContinue = 0
	opcodeText     = websocket.TextMessage
	opcodeClose    = websocket.CloseMessage
)

func newGatewayConn(c net.Conn, s *session, p silenceLimits, resume []byte, log *slog.Logger) *gatewayConn {
	return &gatewayConn{Conn: c, in: bufio.NewReaderSize(c, 32<<10), session: s, patience: p, resume: resume, log: log, ended: make(chan struct{})}
}

// cut ends the connection for a reason; the first one counts. The gateway sees the
// connection drop, so the session can be resumed.
func (l *gatewayConn) cut(cause error) {
	l.once.Do(func() {
		l.cause = cause
		close(l.ended)
		l.Conn.Close()
	})
}

// closeSession ends the connection and the session: close code 1000.
func (l *gatewayConn) closeSession() {
	l.write(clientFrame(opcodeClose, []byte{1000 >> 8, 1000 & 0xff}))
	l.cut(errStopped)
}

// Read passes to discordgo the events it needs.
func (l *gatewayConn) Read(p []byte) (int, error) {
	for len(l.unread) == 0 {
		if err := l.next(); err != nil {
			l.cut(err)
			return 0, l.cause
		}
	}
	n := copy(p, l.unread)
	l.unread = l.unread[n:]
	return n, nil
}

func (l *gatewayConn) next() error {
	silence := l.patience.Hello
	if l.interval > 0 {
		silence = missedBeats * l.interval
	}
	if err := l.Conn.SetReadDeadline(time.Now().Add(silence)); err != nil {
		return err
	}
	l.out.Lock()
	ready := l.ready
	l.out.Unlock()
	if !ready {
		return l.handshake()
	}
	head, payload, err := l.frame()
	if err != nil {
		return fmt.Errorf("discord: read from the gateway: %w", err)
	}
	switch opcode := int(head & 0x0f); {
	case opcode == opcodeClose:
		return closed(payload)
	case opcode > opcodeClose: // ping and pong
		l.unread = serverFrame(opcode, payload)
		return nil
	case opcode != opcodeText && opcode != opcodeContinue, len(l.fragments)+len(payload) > maxPacket:
		return fmt.Errorf("%w: a frame of kind %d, %d bytes", errProtocol, opcode, len(payload))
	}
	l.fragments = append(l.fragments, payload...)
	if head&0x80 == 0 {
		return nil
	}
	said := l.fragments
	l.fragments = nil
	return l.packet(said)
}

// handshake passes the answer to discordgo's HTTP request.
func (l *gatewayConn) handshake() error {
	var head []byte
	for !strings.HasSuffix(string(head), "\r\n\r\n") {
		part, err := l.in.ReadSlice('\n')
		if head = append(head, part...); err != nil || len(head) > maxHead {
			return fmt.Errorf("discord: connect to the gateway: %w", errors.Join(err, errProtocol))
		}
	}
	if first, _, _ := strings.Cut(string(head), "\r\n"); !strings.Contains(first, " 101 ") {
		return fmt.Errorf("discord: the gateway answered %q", first)
	}
	l.unread = head
	l.out.Lock()
	defer l.out.Unlock()
	l.ready = true
	return nil
}

// frame reads one frame (RFC 6455, section 5.2). A server does not mask.
func (l *gatewayConn) frame() (head byte, payload []byte, err error) {
	var fixed [8]byte
	if _, err := io.ReadFull(l.in, fixed[:2]); err != nil {
		return 0, nil, err
	}
	head = fixed[0]
	size := uint64(fixed[1] & 0x7f)
	switch masked := fixed[1]&0x80 != 0; {
	case masked || head&0x70 != 0:
		return 0, nil, errProtocol
	case size == 126:
		_, err = io.ReadFull(l.in, fixed[:2])
		size = uint64(binary.BigEndian.Uint16(fixed[:2]))
	case size == 127:
		_, err = io.ReadFull(l.in, fixed[:])
		size = binary.BigEndian.Uint64(fixed[:])
	}
	if err != nil {
		return 0, nil, err
	}
	if size > maxPacket {
		return 0, nil, errProtocol
	}
	payload = make([]byte, size)
	_, err = io.ReadFull(l.in, payload)
	return head, payload, err
}

// packet is one message of the gateway.
type packet struct {
	Op   int             `json:"op"`
	Seq  int64           `json:"s"`
	Type string          `json:"t"`
	Data json.RawMessage `json:"d"`
}

// rawPrefix makes an event's type one that discordgo does not decode.
const rawPrefix = "raw "

// packet does what a packet asks for, or lets discordgo read it.
func (l *gatewayConn) packet(b []byte) error {
	var p packet
	if err := json.Unmarshal(b, &p); err != nil || bytes.TrimSpace(b)[0] != '{' {
		l.log.Warn("gateway packet dropped: it is not a JSON object", "bytes", len(b))
		return nil
	}
	switch p.Op {
	case 0:
		p.Type = rawPrefix + p.Type
	case 1:
		return l.write(clientFrame(opcodeText, fmt.Appendf(nil, `{"op":1,"d":%d}`, l.session.sequence())))
	case 7:
		return errReconnect
	case 9:
		if string(p.Data) == "true" {
			return errReconnect
		}
		l.session.forget()
		return errInvalid
	case 10:
		if err := l.hello(p.Data); err != nil {
			return err
		}
	case 11:
		l.acked = time.Now()
	default:
		return nil
	}
	if l.interval > 0 && time.Since(l.acked) > missedAcks*l.interval {
		return errZombie
	}
	b, err := json.Marshal(p)
	if err != nil {
		return err
	}
	l.unread = serverFrame(opcodeText, b)
	return nil
}

func (l *gatewayConn) hello(data []byte) error {
	var h struct {
		Interval int64 `json:"heartbeat_interval"` // milliseconds
	}
	if err := json.Unmarshal(data, &h); err != nil || h.Interval <= 0 || h.Interval > maxHeartbeat.Milliseconds() {
		return fmt.Errorf("%w: a heartbeat interval of %d ms", errProtocol, h.Interval)
	}
	l.interval, l.acked = time.Duration(h.Interval)*time.Millisecond, time.Now()
	return nil
}

// Write sends discordgo's frames. The first is IDENTIFY.
func (l *gatewayConn) Write(p []byte) (int, error) {
	l.out.Lock()
	frame := p
	if l.ready && !l.identified {
		l.identified = true
		if l.resume != nil {
			frame = l.resume
		}
	}
	l.out.Unlock()
	if err := l.write(frame); err != nil {
		return 0, err
	}
	return len(p), nil
}

func (l *gatewayConn) write(frame []byte) error {
	l.out.Lock()
	defer l.out.Unlock()
	if err := l.Conn.SetWriteDeadline(time.Now().Add(l.patience.Write)); err != nil {
		return err
	}
	_, err := l.Conn.Write(frame)
	return err
}

// closeError is a close frame of the gateway.
type closeError struct {
	Code int
	Text string
}

func (e *closeError) Error() string {
	return fmt.Sprintf("discord: the gateway closed the connection: %d %s", e.Code, e.Text)
}

func closed(payload []byte) error {
	if len(payload) < 2 {
		return &closeError{Code: websocket.CloseNoStatusReceived}
	}
	return &closeError{Code: int(binary.BigEndian.Uint16(payload)), Text: strings.ToValidUTF8(string(payload[2:]), "")}
}

func serverFrame(opcode int, payload []byte) []byte { return frameOf(opcode, 0, nil, payload) }

// clientFrame is masked, as a client must, with a mask that changes nothing.
func clientFrame(opcode int, payload []byte) []byte {
	return frameOf(opcode, 0x80, make([]byte, 4), payload)
}

func frameOf(opcode int, masked byte, mask, payload []byte) []byte {
	f := []byte{0x80 | byte(opcode)}
	switch n := len(payload); {
	case n < 126:
		f = append(f, masked|byte(n))
	case n < 1<<16:
		f = binary.BigEndian.AppendUint16(append(f, masked|126), uint16(n))
	default:
		f = binary.BigEndian.AppendUint64(append(f, masked|127), uint64(n))
	}
	return append(append(f, mask...), payload...)
}
