// Who a server of tests says that it is, over TLS: for tools.example, 127.0.0.1 and ::1. It is made anew each time, so that no key is
// kept anywhere, and is trusted by nobody else. Only what such a certificate needs is written, by the rules of DER.

import { generateKeyPairSync, sign } from "node:crypto";

const names = { host: "tools.example", addresses: ["7f000001", "00000000000000000000000000000001"] };
const validFrom = "20200101000000Z";
const validTo = "21200101000000Z";
const ecdsaWithSha256 = "2a8648ce3d040302";
const commonName = "550403";
const subjectAltName = "551d11";

export const tlsIdentity = makeIdentity();

function makeIdentity(): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const signing = der(0x30, der(0x06, hex(ecdsaWithSha256)));
  const name = der(0x30, der(0x31, der(0x30, der(0x06, hex(commonName)), der(0x0c, Buffer.from(names.host)))));
  const others = der(
    0x30,
    der(0x82, Buffer.from(names.host)),
    ...names.addresses.map((address) => der(0x87, hex(address))),
  );
  const extension = der(0x30, der(0x06, hex(subjectAltName)), der(0x04, others));
  const about = der(
    0x30,
    der(0xa0, der(0x02, hex("02"))),
    der(0x02, hex("01")),
    ...[signing, name, der(0x30, der(0x18, Buffer.from(validFrom)), der(0x18, Buffer.from(validTo))), name],
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(0x30, extension)),
  );
  const signature = der(0x03, hex("00"), sign("sha256", about, privateKey));
  const body = der(0x30, about, signing, signature).toString("base64").replaceAll(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
  };
}

/** One value: its kind, its length, and what it is made of. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const long = hex(body.length.toString(16).padStart(body.length > 255 ? 4 : 2, "0"));
  const length = body.length < 128 ? [body.length] : [0x80 + long.length, ...long];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

function hex(text: string): Buffer {
  return Buffer.from(text, "hex");
}
