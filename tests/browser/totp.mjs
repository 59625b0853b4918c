import { createHmac } from "node:crypto";

// What an authenticator app shows for this key in Base32 (RFC 6238).
export function codeOf(key, step = Math.floor(Date.now() / 30_000)) {
  const bits = [...key].map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0")).join("");
  const secret = Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(step));
  const hash = createHmac("sha1", secret).update(time).digest();
  const at = hash[19] & 15;
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
