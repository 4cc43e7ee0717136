import type { FieldTraits, ReferenceSource } from '#shared/fields';
import { isEmpty, type Language, type LocalizedText } from '#shared/text';
import type { Database } from '../../data/database/database.ts';
import type { Route } from '../http/route.ts';
import type { Principal } from '../principal/principal.ts';
import { type Choice, ReferenceCalls } from './reference-calls.ts';

type Values = Readonly<Record<string, unknown>>;
type ReferenceTitlesByValue = Readonly<Record<string, string>>;

/** Titles of references and the rows behind titles, as far as a user may see them. */
export class ReferenceReaders {
  private routes: readonly Route[] = [];

  constructor(private readonly db: Database) {}

  /** Sets the calls that references name. */
  setRoutes(routes: readonly Route[]): void {
    this.routes = routes;
  }

  /** Creates a reader that sees what the user may see. */
  of(principal: Principal, language: Language): ReferenceReader {
    return new ReferenceReader(new ReferenceCalls(this.db, this.routes, principal, language));
  }
}

const maxCached = 50_000;

/** Resolves references for one user and caches the results. */
export class ReferenceReader {
  private readonly cache = new Map<string, unknown>();

  constructor(private readonly calls: ReferenceCalls) {}

  /** Resolves the text of a sheet to a value, or to an error message. The text is a title, a title with its value as `wordsOf` writes it, or a value. */
  async valueOf({ title: [zh, en], reference }: FieldTraits, text: string, form: Values): Promise<{ value: string } | { words: LocalizedText }> {
    const source = reference as ReferenceSource;
    const params = paramsFrom(source, form);
    const choicesWithTitle = await this.choicesWithTitle(source, params, text);
    const [first] = choicesWithTitle ?? [];
    if (first && new Set(choicesWithTitle?.map(({ value }) => value)).size === 1) return { value: first.value };
    const shown = text.length > 50 ? `${text.slice(0, 50)}…` : text;
    if (first) return { words: [`${zh}「${shown}」有多条，请填写编号`, `${en}: “${shown}” is not unique, enter the ID`] };
    const [, name, named] = /^([\s\S]*) \[([^\]]+)\]$/.exec(text) ?? [];
    if (name !== undefined && (await this.choicesWithTitle(source, params, name))?.some(({ value }) => value === named)) return { value: named as string };
    const there = await this.withValue(source, params, text);
    if (there === 'unknown' || there) return { value: text };
    return { words: [`${zh}「${shown}」不存在`, `${en}: “${shown}” was not found`] };
  }

  /** Formats a value so that it can be read back: an ambiguous title is followed by the value. */
  async labelOf({ reference }: FieldTraits, value: string, row: Values): Promise<string> {
    const source = reference as ReferenceSource;
    const params = paramsFrom(source, row);
    const choice = await this.withValue(source, params, value);
    if (!choice || choice === 'unknown' || choice.title === '') return value;
    const choicesWithTitle = await this.choicesWithTitle(source, params, choice.title);
    return new Set(choicesWithTitle?.map((one) => one.value)).size > 1 ? `${choice.title} [${value}]` : choice.title;
  }

  /** Returns the titles of these values as far as few calls suffice; omits unknown ones. */
  async titlesOf(source: ReferenceSource, values: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const choices = await this.calls.withValues(source, values);
    return new Map(choices?.map(({ value, title }) => [value, title]));
  }

  private async choicesWithTitle(source: ReferenceSource, given: ReferenceTitlesByValue, title: string): Promise<readonly Choice[] | undefined> {
    if (!this.calls.isSearched(source)) return (await this.all(source, given))?.titles.get(title);
    return this.once(['called', source, given, title], () => this.calls.withTitle(source, given, title));
  }

  /** Finds a choice; `unknown` if no call can tell, in which case an id is accepted unchanged. */
  private async withValue(source: ReferenceSource, params: ReferenceTitlesByValue, value: string): Promise<Choice | undefined | 'unknown'> {
    if (this.calls.isSearched(source)) return this.once(['value', source, params, value], () => this.calls.withValue(source, params, value));
    const all = await this.all(source, params);
    return all ? all.values.get(value) : 'unknown';
  }

  private all(source: ReferenceSource, given: ReferenceTitlesByValue) {
    return this.once(['all', source, given], async () => {
      const choices = await this.calls.all(source, given);
      if (!choices) return undefined;
      const titles = new Map<string, Choice[]>();
      for (const choice of choices) titles.set(choice.title, [...(titles.get(choice.title) ?? []), choice]);
      return { titles, values: new Map(choices.map((choice) => [choice.value, choice])) };
    });
  }

  private async once<Result>(question: readonly unknown[], ask: () => Promise<Result>): Promise<Result> {
    const key = JSON.stringify(question);
    if (this.cache.has(key)) return this.cache.get(key) as Result;
    const answer = await ask();
    if (this.cache.size >= maxCached) this.cache.clear();
    this.cache.set(key, answer);
    return answer;
  }
}

/** Builds the input of a reference's call from the row that contains it. */
function paramsFrom({ inputFrom = {} }: ReferenceSource, row: Values): ReferenceTitlesByValue {
  return Object.fromEntries(Object.entries(inputFrom).flatMap(([name, field]) => (isEmpty(row[field]) ? [] : [[name, String(row[field])]])));
}
