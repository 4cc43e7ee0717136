import { socialSources } from '#shared/social';
import type { LocalizedText } from '#shared/text';

const sso: LocalizedText = ['单点登录', 'Single sign-on'];

/** Returns the name of a provider; an unknown provider is named by its id. */
export function sourceWords(source: string): LocalizedText {
  if (source === 'sso') return sso;
  return (socialSources as Readonly<Record<string, LocalizedText>>)[source] ?? [source, source];
}
