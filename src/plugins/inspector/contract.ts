import type { Static } from 'typebox';
import * as Type from 'typebox';
import { get, NoInput } from '#shared/contract';
import type { LocalizedText } from '#shared/text';

/** Types of contribution that plugins make to the server. */
export const serverContributionKinds = {
  service: ['提供服务（服务器）', 'Provided service (server)'],
  taken: ['使用服务（服务器）', 'Used service (server)'],
  field: ['添加字段（服务器）', 'Added field (server)'],
  rule: ['收紧字段校验（服务器）', 'Stricter field validation (server)'],
  filter: ['过滤器（服务器）', 'Filter (server)'],
} as const satisfies Record<string, LocalizedText>;
type ContributionKind = keyof typeof serverContributionKinds;

const text = Type.Unsafe<string>({ type: 'string' });
const Contribution = Type.Object({
  pluginId: text,
  kind: Type.Unsafe<ContributionKind>({ type: 'string', enum: Object.keys(serverContributionKinds) }),
  what: text,
  /** True while its plugin is disabled in the caller's tenant. */
  isOff: Type.Boolean(),
});
export type ServerContribution = Static<typeof Contribution>;

/** Lists the contributions of running plugins to the server, for administrators. */
export const serverContributions = get('/api/things-system/kernel/contributions', {
  title: ['插件在服务器上的贡献', 'Server plugin contributions'],
  access: 'signedIn',
  input: NoInput,
  reply: Type.Array(Contribution),
});
