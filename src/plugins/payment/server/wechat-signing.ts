import { constants, createDecipheriv, createPublicKey, createSign, createVerify, publicEncrypt, randomBytes, X509Certificate } from 'node:crypto';

/** What a merchant signs with, and what it is answered with. Keys are PEM. */
export interface Keys {
  readonly mchId: string;
  readonly serialNo: string;
  readonly privateKey: string;
  readonly apiV3Key: string;
  readonly publicKeyId: string;
  readonly publicKey: string;
}

/** A message of the provider's with what its headers say of its signature. */
export interface Signed {
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
  readonly serial: string;
  readonly body: string;
}

/** A message that is not what the provider has signed, or is not fresh. */
export class Unverified extends Error {
  override readonly name = 'Unverified';
}

const freshSeconds = 300;

/** The header `Authorization` of a request, WECHATPAY2-SHA256-RSA2048. `path` with its query. */
export function authorization({ mchId, serialNo, privateKey }: Keys, method: string, path: string, body: string): string {
  const timestamp = Math.floor(Date.now() / 1000);
  const nonce = randomBytes(16).toString('hex');
  const signature = createSign('RSA-SHA256').update(`${method}\n${path}\n${timestamp}\n${nonce}\n${body}\n`).sign(privateKey, 'base64');
  return `WECHATPAY2-SHA256-RSA2048 mchid="${mchId}",nonce_str="${nonce}",signature="${signature}",timestamp="${timestamp}",serial_no="${serialNo}"`;
}

/** Throws `Unverified` for what the provider has not signed with the key that is known, as it came, within the last five minutes. */
export function verify({ publicKeyId, publicKey }: Keys, { timestamp, nonce, signature, serial, body }: Signed): void {
  if (serial !== publicKeyId) throw new Unverified(`signed with the key ${serial.slice(0, 64)}`);
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= freshSeconds)) throw new Unverified('signed too long ago');
  const holds = createVerify('RSA-SHA256').update(`${timestamp}\n${nonce}\n${body}\n`).verify(readPublicKey(publicKey), signature, 'base64');
  if (!holds) throw new Unverified('the signature is wrong');
}

/** A field only the provider reads. */
export const sealedFor = ({ publicKey }: Keys, text: string): string =>
  publicEncrypt({ key: readPublicKey(publicKey), padding: constants.RSA_PKCS1_OAEP_PADDING }, Buffer.from(text)).toString('base64');

/** The content of a notice, AES-256-GCM; throws for any other key or a changed bit. */
export function opened({ apiV3Key }: Keys, { ciphertext, nonce, associated_data: bound = '' }: Sealed): string {
  const bytes = Buffer.from(ciphertext, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', apiV3Key, nonce, { authTagLength: 16 });
  decipher.setAuthTag(bytes.subarray(-16)).setAAD(Buffer.from(bound));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
}

/** What a notice carries. */
export interface Sealed {
  readonly ciphertext: string;
  readonly nonce: string;
  readonly associated_data?: string;
}

/** A key as it is pasted, with its lines or all in one, as PEM has it. */
export function pemOf(pasted: string): string {
  const [, kind, content = ''] = /-----BEGIN ([A-Z ]+)-----(.*?)-----END \1-----/s.exec(pasted) ?? [];
  if (kind === undefined) return pasted;
  const lines = content.replace(/\s+/g, '').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`, ''].join('\n');
}

/** A key or the certificate that holds it; throws for anything else. */
export const readPublicKey = (pem: string) => (pem.includes('BEGIN CERTIFICATE') ? new X509Certificate(pem).publicKey : createPublicKey(pem));
