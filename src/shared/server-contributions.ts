import { Boolean as Bool, Array as List, Object as Shape, type Static, Unsafe } from 'typebox';
import { get, Nothing } from './contract.ts';
import type { Words } from './text.ts';

/** The kinds of what plugins put into the server. */
export const serverContributionKinds = {
  service: ['提供服务（服务器）', 'Shares on the server'],
  taken: ['使用服务（服务器）', 'Takes on the server'],
  field: ['添加字段（服务器）', 'Adds a field on the server'],
  rule: ['收紧字段校验（服务器）', 'Asks more of a field on the server'],
  filter: ['决定之前（服务器）', 'Has its say on the server'],
} as const satisfies Record<string, Words>;
type Kind = keyof typeof serverContributionKinds;

const text = Unsafe<string>({ type: 'string' });
const Contribution = Shape({
  pluginId: text,
  kind: Unsafe<Kind>({ type: 'string', enum: Object.keys(serverContributionKinds) }),
  what: text,
  /** It rests: its plugin is switched off where the asker is. */
  isOff: Bool(),
});
export type ServerContribution = Static<typeof Contribution>;

/** What running plugins have put into the server, for administrators. */
export const serverContributions = get('/api/things-system/kernel/contributions', {
  title: ['插件在服务器上的贡献', 'What plugins put into the server'],
  who: 'signedIn',
  input: Nothing,
  reply: List(Contribution),
});
