import type { Readable } from 'node:stream';
import { Transform } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { ApiError, problem, problems } from '#shared/errors';

/** Maximum bytes of a body from a signed-in user. */
export const maxBodyBytes = 1024 * 1024;
/** Maximum bytes of a body without a session: a sign-in, a payment notification, a report. */
export const maxAnonymousBodyBytes = 16 * 1024;

/** Maximum number of values in a body, of names in an object or form, and of nesting levels. Imports and batches stay far below. */
export const inputLimits = { values: 50_000, names: 2_000, depth: 64 } as const;

/** Errors for bodies within the size limit that exceed these limits. */
export const inputProblems = {
  tooManyValues: problem(413, ['请求内容过于复杂：最多{count}个值', 'The request has too many values. The limit is {count}.']),
  tooManyNames: problem(413, ['请求内容过于复杂：每个对象最多{count}个字段', 'The request has too many fields. The limit is {count} per object or form.']),
  tooDeep: problem(400, ['请求内容嵌套过深：最多{depth}层', 'The request is nested too deeply. The limit is {depth} levels.']),
};

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const [openBracket, closeBracket] = [0x5b, 0x5d];
const [openBrace, closeBrace] = [0x7b, 0x7d];

/** Rejects JSON with too many values or levels before it is parsed, in one pass without allocating objects. */
export function assertLightJson(text: string): void {
  const names = new Uint32Array(inputLimits.depth + 1);
  let [values, depth, isInText] = [1, 0, false];
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (isInText) {
      if (character === backslash) at += 1;
      else if (character === quote) isInText = false;
      continue;
    }
    if (character === quote) isInText = true;
    else if (character === comma) values += 1;
    else if (character === colon) names[depth] = (names[depth] ?? 0) + 1;
    else if (character === openBracket || character === openBrace) {
      values += 1;
      depth += 1;
      names[depth] = 0;
    } else if ((character === closeBracket || character === closeBrace) && depth > 0) depth -= 1;
    if (depth > inputLimits.depth) throw new ApiError(inputProblems.tooDeep, { depth: inputLimits.depth });
    if (values > inputLimits.values) throw new ApiError(inputProblems.tooManyValues, { count: inputLimits.values });
    if ((names[depth] ?? 0) > inputLimits.names) throw new ApiError(inputProblems.tooManyNames, { count: inputLimits.names });
  }
}

/** Rejects a form with too many fields before it is parsed. */
export function assertLightForm(text: string): void {
  let fields = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    fields += 1;
    if (fields > inputLimits.names) throw new ApiError(inputProblems.tooManyNames, { count: inputLimits.names });
  }
}

/** Limits the body of a caller without a session; rejects it with the first byte beyond the limit. */
export function limitAnonymousBody(request: FastifyRequest, body: Readable): Readable {
  if (Number(request.headers['content-length']) > maxAnonymousBodyBytes) throw new ApiError(problems.tooLarge);
  let received = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > maxAnonymousBodyBytes) done(Object.assign(new Error('The body is too large.'), { statusCode: 413 }));
      else done(null, chunk);
    },
  });
  body.on('error', (error) => counted.destroy(error));
  return body.pipe(counted);
}
