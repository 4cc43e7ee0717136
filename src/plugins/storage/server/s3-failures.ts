import { EgressRefused, problems, Refusal } from '#server';
import { fileProblems } from '#shared/files';
import { say, type Words } from '#shared/text';
import { probeWords } from '../contract.ts';

/** What the SDK throws, as far as it is read here. */
interface Failure {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly cause?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Whether it says that there is no such object, or no such upload. */
export function isAbsent(error: unknown): boolean {
  const { name = '', $metadata } = error as Failure;
  return ['NotFound', 'NoSuchKey', 'NoSuchUpload'].includes(name) || (name !== 'NoSuchBucket' && $metadata?.httpStatusCode === 404);
}

/** The same in words for whoever uploads or fetches; the reason is for the log. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal(isAbsent(error) ? problems.notFound : fileProblems.storeAway, {}, { cause: error });
}

const named: Readonly<Record<string, Words>> = {
  ENOTFOUND: probeWords.noHost,
  EAI_AGAIN: probeWords.noHost,
  ECONNREFUSED: probeWords.noAnswer,
  ECONNRESET: probeWords.noAnswer,
  ETIMEDOUT: probeWords.noAnswer,
  EHOSTUNREACH: probeWords.noAnswer,
  ENETUNREACH: probeWords.noAnswer,
  TimeoutError: probeWords.noAnswer,
  InvalidAccessKeyId: probeWords.wrongKey,
  SignatureDoesNotMatch: probeWords.wrongSecret,
  NoSuchBucket: probeWords.noBucket,
  AccessDenied: probeWords.forbidden,
  Forbidden: probeWords.forbidden,
  RequestTimeTooSkewed: probeWords.clock,
  AuthorizationHeaderMalformed: probeWords.region,
  PermanentRedirect: probeWords.region,
};

/** What is wrong with a store, by what it or the way to it says: for whoever has set it up. */
export function reasonOf(error: unknown): Words {
  for (let one = error as Failure | undefined; one; one = one.cause as Failure | undefined) {
    if (one instanceof EgressRefused) return probeWords.private;
    if (/CERT|SELF_SIGNED|ALTNAME|SSL/.test(one.code ?? '')) return probeWords.certificate;
    const words = named[one.code ?? ''] ?? named[one.name ?? ''];
    if (words) return words;
  }
  const { name = '', message = '' } = ((error as Failure).cause ?? error) as Failure;
  const reason = [name, message]
    .filter((part) => part !== '' && part !== 'Error')
    .join(': ')
    .slice(0, 200);
  return [say(probeWords.other, 'zh', { reason }), say(probeWords.other, 'en', { reason })];
}
