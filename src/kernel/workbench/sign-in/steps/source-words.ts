import { socialSources } from '#shared/social';
import type { Words } from '#shared/text';

const sso: Words = ['单点登录', 'Single sign-on'];

/** Returns the name of a provider; an unknown provider is named by its id. */
export function sourceWords(source: string): Words {
  if (source === 'sso') return sso;
  return (socialSources as Readonly<Record<string, Words>>)[source] ?? [source, source];
}
