import type { FieldValues } from '#shared/condition';
import type { FieldTraits, ReferenceSource } from '#shared/fields';
import { isEmpty, type Language, type LocalizedText } from '#shared/text';
import type { Database } from '../../data/database/database.ts';
import type { Route } from '../http/route.ts';
import type { Principal } from '../principal/principal.ts';
import { type Choice, ReferenceCalls } from './reference-calls.ts';

type ReferenceFilters = Readonly<Record<string, string>>;

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

  /** Resolves the text of a sheet to a value, or to an error message. The text is a title, a title with its value as `readableLabelOf` writes it, or a value. */
  async valueOf({ title: [zh, en], reference }: FieldTraits, text: string, form: FieldValues): Promise<{ value: string } | { problem: LocalizedText }> {
    const source = reference as ReferenceSource;
    const params = paramsFrom(source, form);
    const choicesWithTitle = await this.choicesWithTitle(source, params, text);
    const [first] = choicesWithTitle ?? [];
    if (first && new Set(choicesWithTitle?.map(({ value }) => value)).size === 1) return { value: first.value };
    const shown = text.length > 50 ? `${text.slice(0, 50)}…` : text;
    if (first) return { problem: [`${zh}「${shown}」有多条，请填写编号`, `${en}: “${shown}” is not unique, enter the ID`] };
    const [, name, value] = /^([\s\S]*) \[([^\]]+)\]$/.exec(text) ?? [];
    if (name !== undefined && value !== undefined && (await this.isTitled(source, params, value, name))) return { value };
    const choice = await this.withValue(source, params, text);
    if (choice === 'unknown' || choice) return { value: text };
    return { problem: [`${zh}「${shown}」不存在`, `${en}: “${shown}” was not found`] };
  }

  /** Loads the labels of many values in few calls, if the source has such a call; following calls of `labelOf` read them from the cache. */
  async load(source: ReferenceSource, values: readonly string[]): Promise<void> {
    if (!this.calls.hasLookup(source)) return;
    const missing = [...new Set(values)].filter((value) => !this.cache.has(labelKey(source, value)));
    if (missing.length === 0) return;
    const titles = await this.titlesOf(source, missing);
    for (const value of missing) this.store(labelKey(source, value), titles.get(value));
  }

  /** Returns the title of a value, also of a row that can no longer be selected; undefined if there is none that the user may see. */
  async labelOf({ reference }: FieldTraits, value: string, row: FieldValues): Promise<string | undefined> {
    const source = reference as ReferenceSource;
    const key = labelKey(source, value);
    const cached = this.cache.get(key);
    if (cached !== undefined || this.cache.has(key)) return cached as string | undefined;
    const choice = await this.withValue(source, paramsFrom(source, row), value);
    return choice === undefined || choice === 'unknown' || choice.title === '' ? undefined : choice.title;
  }

  /** Formats a value as `valueOf` reads it back: a title that does not lead to this value alone is followed by the value. */
  async readableLabelOf(traits: FieldTraits, value: string, row: FieldValues): Promise<string | undefined> {
    const label = await this.labelOf(traits, value, row);
    if (label === undefined) return undefined;
    const source = traits.reference as ReferenceSource;
    const choices = (await this.choicesWithTitle(source, paramsFrom(source, row), label)) ?? [];
    return choices.length > 0 && choices.every((choice) => choice.value === value) ? label : `${label} [${value}]`;
  }

  /** Returns the titles of these values as far as few calls suffice; omits unknown ones. */
  async titlesOf(source: ReferenceSource, values: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const choices = await this.calls.withValues(source, values);
    return new Map(choices?.map(({ value, title }) => [value, title]));
  }

  /** Tests whether a value has this title, be it offered or not. */
  private async isTitled(source: ReferenceSource, params: ReferenceFilters, value: string, title: string): Promise<boolean> {
    if ((await this.choicesWithTitle(source, params, title))?.some((choice) => choice.value === value)) return true;
    const choice = await this.withValue(source, params, value);
    return choice !== undefined && choice !== 'unknown' && choice.title === title;
  }

  private async choicesWithTitle(source: ReferenceSource, params: ReferenceFilters, title: string): Promise<readonly Choice[] | undefined> {
    if (!this.calls.isSearched(source)) return (await this.all(source, params))?.titles.get(title);
    return this.once(['title', source, params, title], () => this.calls.withTitle(source, params, title));
  }

  /** Finds a choice; `unknown` if no call can tell, in which case an id is accepted unchanged. */
  private async withValue(source: ReferenceSource, params: ReferenceFilters, value: string): Promise<Choice | undefined | 'unknown'> {
    if (this.calls.isSearched(source)) return this.once(['value', source, params, value], () => this.calls.withValue(source, params, value));
    const all = await this.all(source, params);
    const offered = all?.values.get(value);
    if (offered) return offered;
    if (!this.calls.hasLookup(source)) return (await this.archived(source, value)) ?? (all ? undefined : 'unknown');
    return this.once(['value', source, {}, value], () => this.calls.withValue(source, params, value));
  }

  private async archived(source: ReferenceSource, value: string): Promise<Choice | undefined> {
    return this.once(['archived', source, value], async () => (await this.calls.archived(source, [value]))[0]);
  }

  private all(source: ReferenceSource, params: ReferenceFilters) {
    return this.once(['all', source, params], async () => {
      const choices = await this.calls.all(source, params);
      if (!choices) return undefined;
      const titles = new Map<string, Choice[]>();
      for (const choice of choices) titles.set(choice.title, [...(titles.get(choice.title) ?? []), choice]);
      return { titles, values: new Map(choices.map((choice) => [choice.value, choice])) };
    });
  }

  private async once<Result>(keyParts: readonly unknown[], read: () => Promise<Result>): Promise<Result> {
    const key = JSON.stringify(keyParts);
    if (this.cache.has(key)) return this.cache.get(key) as Result;
    const answer = await read();
    this.store(key, answer);
    return answer;
  }

  private store(key: string, answer: unknown): void {
    if (this.cache.size >= maxCached) this.cache.clear();
    this.cache.set(key, answer);
  }
}

const labelKey = ({ path, input }: ReferenceSource, value: string) => JSON.stringify(['label', path, input, value]);

/** Builds the input of a reference's call from the row that contains it. */
function paramsFrom({ inputFrom = {} }: ReferenceSource, row: FieldValues): ReferenceFilters {
  return Object.fromEntries(Object.entries(inputFrom).flatMap(([name, field]) => (isEmpty(row[field]) ? [] : [[name, String(row[field])]])));
}
