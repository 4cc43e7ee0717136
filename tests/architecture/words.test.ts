import { describe, expect, test } from '@rstest/core';
import { findingsOf } from './rules/plugin-rules.ts';
import { filesUnder, type SourceFile } from './source.ts';

const sources = ['src', 'scripts', 'tests', 'examples']
  .flatMap((folder) => filesUnder(folder, ['.ts', '.tsx', '.mts', '.mjs']))
  .filter(({ path }) => !/^(tests\/architecture\/(vocabulary|words\.test)|tests\/docs\/upgrades\.test|scripts\/upgrades)\.m?[tj]s$/.test(path));
/** Pages of the documentation. The upgrade guide and the decision about its renames name the old terms; the reports in docs/api are generated from the code. */
const pages = filesUnder('docs', ['.md']).filter(({ path }) => !/\/(upgrading-a-plugin|0098-[\w-]+)\.md$/.test(path) && !path.startsWith('docs/api/'));

/** The sources as those of no plugin: the product's own plugins keep to the list, and use no word of it for their domains. */
const withoutDomains = sources.map(({ path, text }) => ({ path: path.replace('src/plugins/', 'src/product/'), text }));

const sample = (text: string, path = 'sample.tsx'): SourceFile[] => [{ path, text }];
const found = (rule: string, files: readonly SourceFile[]) => findingsOf(rule, files);
const reasons = async (rule: string, files: readonly SourceFile[]) => (await found(rule, files)).map(({ line, reason }) => `${line}: ${reason}`);

describe('words', () => {
  test('no comment opens with a relative clause', async () => {
    expect(await found('comment-opening', sample('/** What a page shows. */\nconst a = 1; // Where it is.\n/**\n * Whose row it is.\n */'))).toHaveLength(3);
    expect(await found('comment-opening', sample("/** Shows what a page needs. */\nconst glob = '/* What */';"))).toEqual([]);
    expect(await found('comment-opening', sources)).toEqual([]);
  });

  test('no code and no page uses an identifier of the list', async () => {
    expect(await reasons('vocabulary', sample('const seat = new Seat();'))).toEqual(['1: Seat is a former name, write PluginRecord']);
    expect(await found('vocabulary', sample('/** Fills a `Roster`. */'))).toHaveLength(1);
    expect(await found('vocabulary', sample('The `Journal` is written.', 'page.md'))).toHaveLength(1);
    expect(await found('vocabulary', sample("const title = 'Seat'; // Seat\nexport { PluginRunner, mySeat };"))).toEqual([]);
    expect(await found('vocabulary', [...withoutDomains, ...pages])).toEqual([]);
  });

  test('no comment and no page uses a phrase of the list', async () => {
    expect(await reasons('vocabulary', sample('const a = 1;\n/** Nobody waits. */'))).toEqual(['2: "Nobody", write no user, no request']);
    expect(await found('vocabulary', sample('A plugin is told of it.', 'page.md'))).toHaveLength(1);
    expect(await found('vocabulary', sample("const user = 'nobody'; /* Sends `nobody`. */"))).toEqual([]);
  });

  test('a plugin uses the words that name things of its domain, in its own files', async () => {
    const contract = {
      path: 'src/plugins/loan/contract.ts',
      text: "const titles = [['借出', 'Lend'], ['座位', 'Seats'], ['没有登录的用户', 'Nobody is signed in']];",
    };
    const text = "/** Lent devices. */\nconst seat = new Seat();\ntest('a lent device is not lent again', run);";
    const judged = async (path: string, rule: string) => found(rule, [contract, { path, text }]);
    expect(await judged('src/plugins/loan/server/lending.ts', 'vocabulary')).toEqual([]);
    expect(await judged('tests/plugins/loan/server/loan.test.ts', 'test-title')).toEqual([]);
    expect(await judged('src/plugins/shelf/server/shelf.ts', 'vocabulary')).toHaveLength(2);
    expect(await judged('tests/plugins/shelf/server/shelf.test.ts', 'test-title')).toHaveLength(1);
    expect(await reasons('vocabulary', [contract, ...sample('/** Nobody waits. */', 'src/plugins/loan/server/a.ts')])).toHaveLength(1);
  });

  test('no test title opens with a relative clause or uses a phrase of the list', async () => {
    expect(await reasons('test-title', sample("test('who asks is refused', run);\ntest.skip('a tab is opened anew', run);"))).toEqual([
      '1: the title "who asks is refused": it opens with "who", write a sentence with a subject: "a lamp that is lit is found by its name"',
      '2: the title "a tab is opened anew": "anew", write again',
    ]);
    expect(await found('test-title', sample("test('whoever asks is refused', run);"))).toHaveLength(1);
    expect(await found('test-title', sample("test('a caller without a session is refused', run);"))).toEqual([]);
    expect(await found('test-title', withoutDomains)).toEqual([]);
  });

  test('every setter of useState is named after set', async () => {
    expect(await found('state-setter', sample('const [open, turn] = useState(false);\nconst [, render] = useState(0);'))).toHaveLength(2);
    expect(await found('state-setter', sample('const [open, setOpen] = useState(false);\nconst [value] = useState(0);'))).toEqual([]);
    expect(await found('state-setter', sources)).toEqual([]);
  });
});

describe('type names', () => {
  /** Two halves of one thing: a class or type of the console and its partner of the server, or a port and the calls that offer it. */
  const halves = new Set([
    'PluginHost',
    'Live',
    'ErrorLog',
    'Dictionaries',
    'SignInMethod',
    'Work',
    'WorkField',
    'UploadedPackage',
    'InstalledPackage',
    'SsoConfiguration',
  ]);
  const declaration = /^(export )?(?:declare |abstract )*(?:interface|class|type(?=[^\n]*[=<])) (\w+)/gm;
  const declarationsIn = (files: readonly SourceFile[]) =>
    files.flatMap(({ path, text }) => [...text.matchAll(declaration)].map(([, exported, name = '']) => ({ path, name, isExported: exported !== undefined })));
  /** Props belong to the component of their file. */
  const isOfComponent = ({ name, isExported }: ReturnType<typeof declarationsIn>[number]) => name.endsWith('Props') && !isExported;
  const namedTwice = (files: readonly SourceFile[]) => {
    const paths = new Map<string, string[]>();
    for (const found of declarationsIn(files)) if (!isOfComponent(found)) paths.set(found.name, [...(paths.get(found.name) ?? []), found.path]);
    return [...paths].filter(([, places]) => new Set(places).size > 1);
  };

  test('a type name stands for one thing', () => {
    const twice = namedTwice([
      ...sample('export class Sheet {}', 'a.ts'),
      ...sample('type Sheet = string;\ntype\nsheet', 'b.ts'),
      ...sample('interface Cell {', 'b.ts'),
    ]);
    expect(twice).toEqual([['Sheet', ['a.ts', 'b.ts']]]);
    const inSource = namedTwice(filesUnder('src'));
    expect(inSource.filter(([name]) => !halves.has(name))).toEqual([]);
    expect([...halves].filter((name) => !inSource.some(([twin]) => twin === name))).toEqual([]);
  });
});
