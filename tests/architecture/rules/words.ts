import type { SourceFile } from '../source.ts';
import { bannedIdentifiers, bannedPhrases } from '../vocabulary.ts';
import { blank, type Finding, lineOf, type SourceRule } from './rule.ts';

interface Text {
  readonly path: string;
  readonly text: string;
  /** The comments of a file, or the whole of a page, at their places; all other text is blank. */
  readonly prose: string;
  /** The code of a file without comments and strings; of prose, the parts between backticks. */
  readonly code: string;
}

/** Comments follow white space or an opening bracket; addresses and patterns do not. Adjacent `//` lines are one comment. */
const comment = /\/(?<=(?:^|[\s({,;[])\/)(?:\*\*?\s[\s\S]*?\*\/|\/ .*(?:\n[ \t]*\/\/ .*)*)/gm;
const string = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g;
const inlineCode = /```[\s\S]*?```|`[^`]*`/g;

/** Separates the prose of a file or page from its code. */
function parse({ path, text }: SourceFile): Text {
  const isPage = path.endsWith('.md');
  let prose = isPage ? text : '';
  if (!isPage) for (const { 0: found, index } of text.matchAll(comment)) prose += blank(text.slice(prose.length, index)) + found;
  const quoted = (prose.match(inlineCode) ?? []).join('\n');
  return { path, text, prose: prose.replace(inlineCode, blank), code: `${isPage ? '' : text.replace(comment, blank)}\n${quoted}`.replace(string, '') };
}

const opening = /^[\s/*]*(What|Who|Whose|Whom|Where|How|When|Why|Which|Whether|Whoever|Whatever|Whichever|Wherever|That which)\b/;
const phrases = new RegExp(`\\b(?:${Object.keys(bannedPhrases).join('|')})\\b`, 'gi');
const standardOf = (found: string) => Object.entries(bannedPhrases).find(([phrase]) => new RegExp(`^(?:${phrase})$`, 'i').test(found))?.[1];
/** Titles of tests and of their groups and steps. */
const title = /\b(?:test|describe|step)(?:\.\w+)*\(\s*(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g;
const relative = /^(?:who|whose|whoever|what|whatever)\b/i;
const state = /\[\s*\w*\s*,\s*(\w+)\s*\]\s*=\s*useState\b/g;

const at = ({ path, text }: Text, index: number, reason: string): Finding => ({ path, line: lineOf(text, index), reason });

const openings = (file: Text) =>
  [...file.text.matchAll(comment)].flatMap(({ 0: found, index }) =>
    opening.test(found) ? [at(file, index, `a comment opens with a noun or a verb, not a relative clause: ${found.split('\n')[0]}`)] : [],
  );
const identifiers = (file: Text) =>
  [...new Set(file.code.match(/[\w$-]+/g))]
    .filter((name) => Object.hasOwn(bannedIdentifiers, name))
    .map((name) => at(file, file.text.search(new RegExp(`(?<![\\w$-])${name}(?![\\w$-])`)), `${name} is a former name, write ${bannedIdentifiers[name]}`));
const phrasesIn = (file: Text) => [...file.prose.matchAll(phrases)].map(({ 0: found, index }) => at(file, index, `"${found}", write ${standardOf(found)}`));
const titles = (file: Text) =>
  [...file.text.matchAll(title)].flatMap(({ 2: name = '', index }) => {
    const [clause] = relative.exec(name) ?? [];
    const banned = (name.match(phrases) ?? []).map((found) => `"${found}", write ${standardOf(found)}`);
    const opens = clause ? [`it opens with "${clause}", write a sentence with a subject: "a lamp that is lit is found by its name"`] : [];
    const reason = (banned.length > 0 ? banned : opens).join('; ');
    return reason ? [at(file, index, `the title "${name}": ${reason}`)] : [];
  });
const setters = (file: Text) =>
  [...file.text.matchAll(state)].flatMap(({ 1: name = '', index }) =>
    /^set[A-Z]/.test(name) ? [] : [at(file, index, `${name} sets a state, write set${name.charAt(0).toUpperCase()}${name.slice(1)}`)],
  );

const rule = (id: string, find: (file: Text) => Finding[]): SourceRule => ({
  id,
  find: (files) => files.filter(({ path }) => /\.(m?ts|tsx|mjs|md)$/.test(path)).flatMap((file) => find(parse(file))),
});

/** Rules about the words of comments, names and titles. */
export const wordRules: readonly SourceRule[] = [
  rule('comment-opening', openings),
  rule('vocabulary', (file) => [...identifiers(file), ...phrasesIn(file)]),
  rule('test-title', titles),
  rule('state-setter', setters),
];
