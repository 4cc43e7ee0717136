import { socialSources } from '#shared/social';
import type { Words } from '#shared/text';

const sso: Words = ['单点登录', 'Single sign-on'];

/** What a provider is called; one this build does not know goes by its own name. */
export function sourceWords(source: string): Words {
  if (source === 'sso') return sso;
  return (socialSources as Readonly<Record<string, Words>>)[source] ?? [source, source];
}
