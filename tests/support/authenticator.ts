import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** Options of the server, as far as an authenticator reads them. */
interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id?: string };
  readonly user: { readonly id: string };
}
interface RequestOptions {
  readonly challenge: string;
  readonly rpId?: string;
  readonly allowCredentials?: readonly { readonly id: string }[];
}

/** Differences from an honest browser with an honest authenticator. */
export interface Forgery {
  /** Origin of the page that asks. */
  readonly origin?: string;
  /** Domain that the authenticator signs. */
  readonly rpId?: string;
  /** False for an authenticator that has not verified its user. */
  readonly isUserVerified?: boolean;
  readonly userHandle?: string;
  /** Counter of the signature, in place of the next one. */
  readonly counter?: number;
  readonly challenge?: string;
}

/** A passkey in software: registers and signs as a browser with an authenticator would (ES256, no attestation). */
export class Authenticator {
  readonly id = randomBytes(16);
  counter = 0;
  private userHandle = '';
  private readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  constructor(private readonly origin: string) {}

  /** Answers the options of a registration with a credential as JSON. */
  register({ challenge, rp, user }: CreationOptions, forgery: Forgery = {}): string {
    this.userHandle = user.id;
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    // A COSE key: type EC2 (1: 2), algorithm ES256 (3: -7), curve P-256 (-1: 1), x (-2) and y (-3).
    const key = Buffer.concat([Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32]), fromBase64(x), Buffer.from([0x22, 0x58, 32]), fromBase64(y)]);
    const length = Buffer.from([0, this.id.length]);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, key]);
    const data = Buffer.concat([this.authenticatorData(rp.id ?? '', 0x40, forgery), attested]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      cborText('fmt'),
      cborText('none'),
      cborText('attStmt'),
      Buffer.from([0xa0]),
      cborText('authData'),
      Buffer.from([0x59, data.length >> 8, data.length & 0xff]),
      data,
    ]);
    return this.credential({
      clientDataJSON: base64(this.clientData('webauthn.create', challenge, forgery)),
      attestationObject: base64(attestation),
      transports: ['internal'],
    });
  }

  /** Answers the options of a sign-in or a proof with a credential as JSON. */
  sign({ challenge, rpId = '' }: RequestOptions, forgery: Forgery = {}): string {
    this.counter = forgery.counter ?? this.counter + 1;
    const data = this.authenticatorData(rpId, 0, forgery);
    const client = this.clientData('webauthn.get', challenge, forgery);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    return this.credential({
      clientDataJSON: base64(client),
      authenticatorData: base64(data),
      signature: base64(createSign('sha256').update(signed).sign(this.keys.privateKey)),
      userHandle: forgery.userHandle ?? this.userHandle,
    });
  }

  private credential(response: object): string {
    const id = base64(this.id);
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
  }

  private authenticatorData(rpId: string, flags: number, forgery: Forgery): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const verified = forgery.isUserVerified === false ? 0 : 4;
    return Buffer.concat([
      createHash('sha256')
        .update(forgery.rpId ?? rpId)
        .digest(),
      Buffer.from([flags | verified | 1]),
      counter,
    ]);
  }

  private clientData(type: string, challenge: string, forgery: Forgery): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge: forgery.challenge ?? challenge, origin: forgery.origin ?? this.origin, crossOrigin: false }));
  }
}

const base64 = (bytes: Buffer) => bytes.toString('base64url');
const fromBase64 = (text: string) => Buffer.from(text, 'base64url');
const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
