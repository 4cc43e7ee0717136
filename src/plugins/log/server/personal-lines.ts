import type { Explanations, PersonalData } from '#server';
import { traitsOf } from '#shared/fields';
import { type Language, type LocalizedText, localize, snakeCase } from '#shared/text';

interface PersonalLine {
  readonly entity: string;
  readonly fields: string;
}

const person: LocalizedText = ['个人数据', 'Person'];

/** Shows the lines of the log of personal data with the titles of tables and fields in place of their names, by which the lines are stored. */
export class PersonalLines {
  constructor(
    private readonly data: PersonalData,
    private readonly explanations: Explanations,
  ) {}

  /** Returns a line with titles; a name without one stays, such as that of a table whose plugin was removed. */
  shown<Line extends PersonalLine>(line: Line, language: Language): Line {
    const titles = this.data.titles();
    const declared = this.explanations.entityOf(line.entity)?.fields ?? {};
    const titleOf = (name: string) => titles.get(snakeCase(name)) ?? (name === 'person' ? person : undefined);
    const textOf = (name: string, title: LocalizedText | undefined) => (title ? localize(title, language) : name);
    const fields = line.fields.split(', ').map((name) => textOf(name, (declared[name] && traitsOf(declared[name])?.title) ?? titleOf(name)));
    return { ...line, entity: textOf(line.entity, titleOf(line.entity)), fields: fields.join(language === 'zh' ? '、' : ', ') };
  }

  /** Returns the names of the tables whose titles contain a text, in either language, and the text itself, which may be a name. */
  named(text: string): string[] {
    const searched = text.trim().toLowerCase();
    const titles = [...this.data.titles(), ['person', person] as const];
    return [searched, ...titles.filter(([, title]) => title.some((one) => one.toLowerCase().includes(searched))).map(([name]) => name)];
  }
}
