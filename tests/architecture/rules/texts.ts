import type { SourceFile } from '../source.ts';
import { blank, type Finding, isSource, lineOf, pluginOf, type RuleContext, type SourceRule } from './rule.ts';

const chinese = /[\u3400-\u9fff]/;
const pair = /\[\s*(['"`])(?:\\[\s\S]|(?!\1)[^\\])*\1,\s*(['"`])((?:\\[\s\S]|(?!\2)[^\\])*)\2,?\s*\]/g;

/** Files whose Chinese is data: initial rows of a new deployment, date formats that people use, headings of files for authorities, and field names of other programs. */
export const chineseData: readonly string[] = [
  'src/plugins/alipay/server/alipay-terms.ts',
  'src/plugins/bank-file/server/bank-terms.ts',
  'src/plugins/dictionary/server/seed-dictionaries.ts',
  'src/plugins/payee/server/report-file.ts',
  'src/plugins/wechat-pay/server/wechat-terms.ts',
  'src/plugins/region/server/seed-regions.ts',
  'src/plugins/tenant/server/seed-tenant.ts',
  'src/server/host/first-start.ts',
  'src/plugins/transfers/server/sheets/cells.ts',
];

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, blank).replace(/(^|\s)\/\/.*$/gm, blank);

/** Returns the lines of a text that contain Chinese. */
const chineseLines = (path: string, text: string, reason: (line: string) => string): Finding[] =>
  text.split('\n').flatMap((line, index) => (chinese.test(line) ? [{ path, line: index + 1, reason: reason(line.trim()) }] : []));

function loneChinese({ path, text }: SourceFile): Finding[] {
  const rest = withoutComments(text).replace(pair, (found, _zh, _en, english: string) => (chinese.test(english) ? found : blank(found)));
  return chineseLines(path, rest, (line) => `Chinese text without an English one beside it: ${line}. Write ['中文', 'English']`);
}

interface Declared {
  readonly path: string;
  readonly line: number;
  readonly table: string;
  readonly name: string;
}

/** Returns the messages and problems that files declare in tables. */
export const declaredMessages = (files: readonly SourceFile[]): Declared[] =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(/^export const (\w*(?:Messages|[pP]roblems)) = \{\n([\s\S]*?)^\}/gm)].flatMap(({ 0: whole, 1: table = '', 2: body = '', index }) =>
      [...body.matchAll(/^ {2}(\w+):/gm)].map(({ 1: name = '', index: at }) => ({
        path,
        line: lineOf(text, index + whole.indexOf('\n') + 1 + at),
        table,
        name,
      })),
    ),
  );

/** A contract without a server half in the judged sources is not judged. */
function unusedMessages(files: readonly SourceFile[], { source }: RuleContext): Finding[] {
  const judged = files.filter(isSource);
  const declared = declaredMessages(judged);
  if (declared.length === 0) return [];
  const ids = new Set(judged.map(({ path }) => pluginOf(path)));
  const others = source().filter((file) => isSource(file) && !(pluginOf(file.path) && ids.has(pluginOf(file.path))));
  const code = [...others, ...judged].map(({ text }) => text).join('\n');
  const members = new Set([...code.matchAll(/\b(\w+)(?=\.(\w+))/g)].map(([, table, name]) => `${table}.${name}`));
  const used = new Set([...members].map((member) => member.slice(0, member.indexOf('.'))));
  const isRead = ({ table, name }: Declared) => members.has(`${table}.${name}`) || (code.includes(`${table}[`) && code.includes(`'${name}'`));
  return declared
    .filter((one) => used.has(one.table) && !isRead(one))
    .map(({ path, line, table, name }) => ({ path, line, reason: `${table}.${name} is used nowhere, while others of ${table} are` }));
}

const platformWork = /(?:asPlatform|db\.snapshot)\(\s*(?:'([^']*)'|([^,)]+))/g;

/** Returns every use of work across tenants outside of the data layer, with its first argument and, if that is a text, its reason. */
export const platformUses = (files: readonly SourceFile[]) =>
  files
    .filter((file) => isSource(file) && !file.path.startsWith('src/server/data/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(platformWork)].map(({ 1: reason, 2: other, index }) => ({ path, line: lineOf(text, index), reason, argument: reason ?? other ?? '' })),
    );

/** Rules about texts and messages. */
export const textRules: readonly SourceRule[] = [
  {
    id: 'component-text',
    find: (files) =>
      files
        .filter((file) => isSource(file) && file.path.endsWith('.tsx'))
        .flatMap(({ path, text }) =>
          chineseLines(
            path,
            text.replace(/\/\*[\s\S]*?\*\//g, blank).replace(/\/\/.*$/gm, blank),
            () => 'Chinese text in a component; declare it in messages.ts',
          ),
        ),
  },
  { id: 'text-pair', find: (files) => files.filter((file) => isSource(file) && !chineseData.includes(file.path)).flatMap(loneChinese) },
  { id: 'unused-message', find: unusedMessages },
  {
    id: 'platform-reason',
    find: (files) =>
      platformUses(files)
        .filter(({ path, reason }) => path.startsWith('src/plugins/') && (reason === undefined || reason.trim() === ''))
        .map(({ path, line, argument }) => ({ path, line, reason: `work across tenants gives its reason as a text, not ${argument || 'an empty one'}` })),
  },
];
