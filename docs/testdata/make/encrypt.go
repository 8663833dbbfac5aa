package main

import (
	"crypto/md5"
	"crypto/rc4"
	"encoding/binary"
	"fmt"
)

// padding fills passwords up to 32 bytes (ISO 32000-1, 7.6.3.3).
const padding = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"

const (
	fileID     = "threadkeeper-one" // 16 bytes
	permission = -64                // nothing is allowed but to look
)

func encrypted() []byte { return secret("quay") }
func protected() []byte { return secret("") }

// secret is a page under the standard security handler, revision 2: RC4 with 40 bits.
func secret(user string) []byte {
	pad := func(password string) string { return (password + padding)[:32] }
	ownerKey := md5.Sum([]byte(pad("owner")))
	owner := crypt(ownerKey[:5], pad(user))
	seed := []byte(pad(user) + owner)
	seed = binary.LittleEndian.AppendUint32(seed, 1<<32+permission)
	sum := md5.Sum(append(seed, fileID...))
	key := sum[:5]

	f := newFile()
	f.seal = func(object int, stream string) string {
		sum := md5.Sum(append(key[:5:5], byte(object), byte(object>>8), byte(object>>16), 0, 0))
		return crypt(sum[:10], stream)
	}
	f.page().text(left, 700, "R", 14, ink, "The combination of the safe is 41-7-23.")
	f.trailer = fmt.Sprintf("/ID [<%x> <%x>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <%x> /U <%x> /P %d >>",
		fileID, fileID, owner, crypt(key, padding), permission)
	return f.bytes()
}

func crypt(key []byte, text string) string {
	c, err := rc4.NewCipher(key)
	if err != nil {
		panic(err) // unreachable: the keys are 5 and 10 bytes long
	}
	out := []byte(text)
	c.XORKeyStream(out, out)
	return string(out)
}
