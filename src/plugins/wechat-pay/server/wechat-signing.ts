import { constants, createDecipheriv, createPublicKey, createSign, createVerify, publicEncrypt, randomBytes, X509Certificate } from 'node:crypto';
import { InvalidSignatureError } from '#plugins/payment/server-extension';

/** WechatKeys of a merchant and of the provider, as PEM. */
export interface WechatKeys {
  readonly mchId: string;
  readonly serialNo: string;
  readonly privateKey: string;
  readonly apiV3Key: string;
  readonly publicKeyId: string;
  readonly publicKey: string;
}

/** Message of the provider with the signature headers. */
export interface WechatMessage {
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
  readonly serial: string;
  readonly body: string;
}

const maxAgeSeconds = 300;

/** Returns the `Authorization` header of a request, by WECHATPAY2-SHA256-RSA2048. `path` includes the query. */
export function authorization({ mchId, serialNo, privateKey }: WechatKeys, method: string, path: string, body: string): string {
  const timestamp = Math.floor(Date.now() / 1000);
  const nonce = randomBytes(16).toString('hex');
  const signature = createSign('RSA-SHA256').update(`${method}\n${path}\n${timestamp}\n${nonce}\n${body}\n`).sign(privateKey, 'base64');
  return `WECHATPAY2-SHA256-RSA2048 mchid="${mchId}",nonce_str="${nonce}",signature="${signature}",timestamp="${timestamp}",serial_no="${serialNo}"`;
}

/** Throws `InvalidSignatureError` unless the provider has signed the unchanged message with the known key within the last five minutes. */
export function verify({ publicKeyId, publicKey }: WechatKeys, { timestamp, nonce, signature, serial, body }: WechatMessage): void {
  if (serial !== publicKeyId) throw new InvalidSignatureError(`signed with an unknown key: ${serial.slice(0, 64)}`);
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= maxAgeSeconds)) throw new InvalidSignatureError('the signature is too old');
  const isValid = createVerify('RSA-SHA256').update(`${timestamp}\n${nonce}\n${body}\n`).verify(readPublicKey(publicKey), signature, 'base64');
  if (!isValid) throw new InvalidSignatureError('invalid signature');
}

/** Encrypts a field that only the provider can read. */
export const encryptFor = ({ publicKey }: WechatKeys, text: string): string =>
  publicEncrypt({ key: readPublicKey(publicKey), padding: constants.RSA_PKCS1_OAEP_PADDING }, Buffer.from(text)).toString('base64');

/** Decrypts the content of a notification by AES-256-GCM; throws for another key or changed data. */
export function decrypt({ apiV3Key }: WechatKeys, { ciphertext, nonce, associated_data: associatedData = '' }: EncryptedContent): string {
  const bytes = Buffer.from(ciphertext, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', apiV3Key, nonce, { authTagLength: 16 });
  decipher.setAuthTag(bytes.subarray(-16)).setAAD(Buffer.from(associatedData));
  return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString('utf8');
}

/** Encrypted content of a notification. */
export interface EncryptedContent {
  readonly ciphertext: string;
  readonly nonce: string;
  readonly associated_data?: string;
}

/** Normalizes a pasted key, with or without line breaks, to PEM. */
export function pemOf(pasted: string): string {
  const [, kind, content = ''] = /-----BEGIN ([A-Z ]+)-----(.*?)-----END \1-----/s.exec(pasted) ?? [];
  if (kind === undefined) return pasted;
  const lines = content.replace(/\s+/g, '').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`, ''].join('\n');
}

/** Reads a public key or the certificate that contains it; throws for anything else. */
export const readPublicKey = (pem: string) => (pem.includes('BEGIN CERTIFICATE') ? new X509Certificate(pem).publicKey : createPublicKey(pem));
