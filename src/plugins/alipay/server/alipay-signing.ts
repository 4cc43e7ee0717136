import { createPrivateKey, createPublicKey, createSign, createVerify, type KeyObject } from 'node:crypto';
import { InvalidSignatureError } from '#plugins/payment/server-extension';

/** Returns the signed text of parameters: all but the signature and empty ones, by name. */
const signedText = (parameters: Readonly<Record<string, string>>) =>
  Object.keys(parameters)
    .filter((name) => name !== 'sign' && parameters[name] !== '')
    .sort()
    .map((name) => `${name}=${parameters[name]}`)
    .join('&');

/** Returns the RSA2 signature of request parameters. */
export const sign = (parameters: Readonly<Record<string, string>>, privateKey: string): string =>
  createSign('RSA-SHA256').update(signedText(parameters), 'utf8').sign(readPrivateKey(privateKey), 'base64');

const isSigned = (text: string, signature: string, publicKey: string) =>
  createVerify('RSA-SHA256').update(text, 'utf8').verify(readPublicKey(publicKey), signature, 'base64');

/** Throws unless Alipay has signed the parameters of a notification. Some notifications are signed with the name of the algorithm, others without. */
export function verifyNotice(parameters: Readonly<Record<string, string>>, publicKey: string): void {
  const { sign: signature = '', sign_type: algorithm, ...others } = parameters;
  if (algorithm !== 'RSA2') throw new InvalidSignatureError(`unknown algorithm: ${algorithm?.slice(0, 16)}`);
  const texts = [signedText({ ...others, sign_type: algorithm }), signedText(others)];
  if (!texts.some((text) => isSigned(text, signature, publicKey))) throw new InvalidSignatureError('invalid signature');
}

/** Returns the verified JSON of a member of a response; the signature covers its exact text. */
export function verifiedMember(response: string, name: string, publicKey: string): string {
  const members = membersOf(response);
  const text = members.get(name);
  const signature = members.get('sign');
  if (text === undefined || signature === undefined) throw new InvalidSignatureError(`the response is not signed: ${response.slice(0, 200)}`);
  if (!isSigned(text, JSON.parse(signature) as string, publicKey)) throw new InvalidSignatureError('invalid signature');
  return text;
}

/** Splits the text of a JSON object into its members, whose texts stay as they are; throws for anything else. */
function membersOf(json: string): Map<string, string> {
  JSON.parse(json);
  const members = new Map<string, string>();
  const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;
  let depth = 0;
  let name: string | undefined;
  let start = 0;
  for (let found = token.exec(json); found; found = token.exec(json)) {
    const [text] = found;
    if (depth === 1 && name === undefined && text.startsWith('"')) name = JSON.parse(text) as string;
    else if (depth === 1 && text === ':') start = token.lastIndex;
    const isClosing = text === '}' || text === ']';
    if (depth === 1 && name !== undefined && (text === ',' || isClosing)) {
      if (members.has(name)) throw new InvalidSignatureError('the response has a member twice');
      members.set(name, json.slice(start, found.index).trim());
      name = undefined;
    }
    if (text === '{' || text === '[') depth += 1;
    if (isClosing) depth -= 1;
  }
  return members;
}

/** Reads a private key in PEM or, as Alipay's tools show it, as Base64 alone; throws for anything else. */
export const readPrivateKey = (text: string): KeyObject => readKey(text, ['PRIVATE KEY', 'RSA PRIVATE KEY'], createPrivateKey);

/** Reads a public key in PEM or as Base64 alone; throws for anything else. */
export const readPublicKey = (text: string): KeyObject => readKey(text, ['PUBLIC KEY'], createPublicKey);

function readKey(text: string, kinds: readonly string[], read: (pem: string) => KeyObject): KeyObject {
  const [, kind, content = text] = /-----BEGIN ([A-Z ]+)-----(.*?)-----END \1-----/s.exec(text) ?? [];
  const lines = content.replace(/\s+/g, '').match(/.{1,64}/g) ?? [];
  const candidates = kind === undefined ? kinds : [kind];
  for (const [index, candidate] of candidates.entries()) {
    try {
      return read([`-----BEGIN ${candidate}-----`, ...lines, `-----END ${candidate}-----`, ''].join('\n'));
    } catch (error) {
      if (index === candidates.length - 1) throw error;
    }
  }
  throw new Error('no key');
}
