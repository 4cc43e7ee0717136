import type { Manifest } from '#shared/manifest';
import { Transport, type WireRequest, type WireResponse, type WireStream } from './transport.ts';

type TransportKeys = Pick<NonNullable<Manifest['requests']>, 'tokenKey' | 'bodyKey'>;

interface Ciphers {
  readonly token: AesCipher | undefined;
  readonly body: AesCipher | undefined;
}

/** Encrypts what another transport carries, with the keys of the deployment. Browsers have the cipher on secure origins only. */
export async function encryptedTransport(inner: Transport, { tokenKey, bodyKey }: TransportKeys): Promise<Transport> {
  const cipherOf = (key: string | undefined) => (key ? AesCipher.of(key) : undefined);
  const [token, body] = await Promise.all([cipherOf(tokenKey), cipherOf(bodyKey)]);
  return new EncryptedTransport(inner, { token, body });
}

class EncryptedTransport extends Transport {
  constructor(
    private readonly inner: Transport,
    private readonly ciphers: Ciphers,
  ) {
    super();
  }

  async request(request: WireRequest): Promise<WireResponse> {
    const headers = await this.headersOf(request);
    const { body: cipher } = this.ciphers;
    if (!cipher) return this.inner.request({ ...request, headers });
    const { status, body } = await this.inner.request({ ...(await encrypted(request, cipher)), headers });
    return { status, body: typeof body === 'string' ? await decrypted(body, cipher) : body };
  }

  async open(request: WireRequest): Promise<WireStream> {
    return this.inner.open({ ...request, headers: await this.headersOf(request) });
  }

  private async headersOf({ headers }: WireRequest): Promise<WireRequest['headers']> {
    const { token: cipher } = this.ciphers;
    const token = /^bearer (\S+)$/.exec(headers['Things-Auth'] ?? '')?.[1];
    return cipher && token ? { ...headers, 'Things-Auth': `crypto ${await cipher.encrypt(token)}` } : headers;
  }
}

/** Sends the parameters as the single parameter `data` and the body as text. Files, and the fields beside them, are not encrypted. */
async function encrypted(request: WireRequest, cipher: AesCipher): Promise<WireRequest> {
  const { query, body } = request;
  const hasQuery = query !== undefined && Object.keys(query).length > 0;
  const content = body && ('json' in body ? body.json : 'form' in body ? body.form : undefined);
  return {
    ...request,
    ...(hasQuery ? { query: { data: await cipher.encrypt(JSON.stringify(query)) } } : {}),
    ...(content === undefined ? {} : { body: { text: await cipher.encrypt(JSON.stringify(content)) } }),
  };
}

/** Parses the JSON in an encrypted body; other text is returned unchanged, because the server rejects some requests before it reads them. */
async function decrypted(body: string, cipher: AesCipher): Promise<unknown> {
  try {
    return JSON.parse(await cipher.decrypt(body)) as unknown;
  } catch {
    return body;
  }
}

const ivBytes = 16;

/** AES-CBC with PKCS7 padding; the first bytes of the key are the initialization vector, as in BladeX-compatible clients. */
class AesCipher {
  private constructor(
    private readonly key: CryptoKey,
    private readonly parameters: AesCbcParams,
  ) {}

  static async of(text: string): Promise<AesCipher> {
    const bytes = new TextEncoder().encode(text);
    const key = await crypto.subtle.importKey('raw', bytes, 'AES-CBC', false, ['encrypt', 'decrypt']);
    return new AesCipher(key, { name: 'AES-CBC', iv: bytes.slice(0, ivBytes) });
  }

  async encrypt(text: string): Promise<string> {
    const bytes = new Uint8Array(await crypto.subtle.encrypt(this.parameters, this.key, new TextEncoder().encode(text)));
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  }

  async decrypt(encrypted: string): Promise<string> {
    const bytes = Uint8Array.from(atob(encrypted), (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(await crypto.subtle.decrypt(this.parameters, this.key, bytes));
  }
}
