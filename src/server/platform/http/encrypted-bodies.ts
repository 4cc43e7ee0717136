import type { FastifyRequest } from 'fastify';
import { ApiError, problems } from '#shared/errors';
import type { App } from './app.ts';
import { assertLightJson } from './body-limits.ts';
import { WireCipher } from './wire-cipher.ts';

const encryptedKey = 'isEncrypted';

/** Decrypts bodies of BladeX-compatible consoles: JSON as `text/plain`, or as the single query parameter `data`. The reply to an encrypted request is encrypted too. */
export function acceptEncryptedBodies(app: App, key: string): void {
  const cipher = new WireCipher(key);
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.decorateRequest(encryptedKey, false);
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (request, body, done) => {
    const text = cipher.decrypt(body.toString());
    if (text === undefined) return done(new ApiError(problems.unreadable));
    assertLightJson(text);
    request.setDecorator(encryptedKey, true);
    parseJson(request, text, done);
  });
  app.addHook('preValidation', async (request) => {
    const decrypted = decryptQuery(request.query, cipher);
    if (!decrypted) return;
    request.query = decrypted;
    request.setDecorator(encryptedKey, true);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || !request.getDecorator<boolean>(encryptedKey)) return payload;
    reply.type('text/plain; charset=utf-8');
    return cipher.encrypt(payload);
  });
}

/** Decrypts the query; a `data` that cannot be decrypted is an ordinary parameter. */
function decryptQuery(query: FastifyRequest['query'], cipher: WireCipher): object | undefined {
  const [[name, value] = [], ...more] = Object.entries(query as object);
  const text = name === 'data' && more.length === 0 && typeof value === 'string' ? cipher.decrypt(value) : undefined;
  try {
    const decrypted: unknown = text === undefined ? undefined : JSON.parse(text);
    return typeof decrypted === 'object' && decrypted !== null && !Array.isArray(decrypted) ? decrypted : undefined;
  } catch {
    return undefined;
  }
}
