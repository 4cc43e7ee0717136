import type { Relation, ScopeCondition } from '#shared/scopes';
import { type Language, type LocalizedText, localize } from '#shared/text';
import type { ReferenceReader } from '../references/reference-reader.ts';
import type { NamedScopeField } from './scope-fields.ts';

const phrases = {
  all: ['全部数据', 'All records'],
  own: ['本人的数据', 'Their own records'],
  dept: ['本部门的数据', 'Records of their department'],
  deptAndBelow: ['本部门及以下的数据', 'Records of their department and below'],
  none: ['没有数据', 'No records'],
  is: ['{field}为 {values}', '{field} is {values}'],
  isNot: ['{field}不为 {values}', '{field} is not {values}'],
  below: ['{field}为 {values} 及以下', '{field} is {values} or below'],
  filled: ['{field}已填写', '{field} is set'],
  empty: ['{field}为空', '{field} is empty'],
  me: ['{field}为本人', '{field} is themselves'],
  department: ['{field}为本部门', '{field} is their own'],
  departmentAndBelow: ['{field}为本部门及以下', '{field} is their own or below'],
  unseen: ['（已删除或不可见）', '(deleted or hidden)'],
  and: ['，且', ' and '],
  or: ['，或', ' or '],
  several: ['{values} 等 {count} 个', '{values} and {count} more'],
} as const satisfies Record<string, LocalizedText>;

const shownValues = 5;

/** Writes rules of data scopes as sentences, with the names of what they refer to as far as the reader may see them. */
export class ScopeSentences {
  constructor(
    private readonly fields: readonly NamedScopeField[],
    private readonly references: ReferenceReader,
    private readonly language: Language,
  ) {}

  /** Writes a rule by its type: 1 all, 2 own, 3 own department, 4 department and below, 5 custom. */
  async ofRule(type: number, condition: ScopeCondition | undefined): Promise<string> {
    if (type === 5) return condition ? this.ofCondition(condition) : this.text('none');
    return this.text((['all', 'all', 'own', 'dept', 'deptAndBelow'] as const)[type] ?? 'none');
  }

  /** Writes a condition; parts of a part stand in parentheses. */
  async ofCondition(condition: ScopeCondition, isPart = false): Promise<string> {
    if ('all' in condition || 'any' in condition) {
      const parts = 'all' in condition ? condition.all : condition.any;
      if (parts.length === 0) return this.text('all' in condition ? 'all' : 'none');
      const texts: string[] = [];
      for (const part of parts) texts.push(await this.ofCondition(part, parts.length > 1));
      const joined = texts.join(this.text('all' in condition ? 'and' : 'or'));
      return isPart && parts.length > 1 ? `(${joined})` : joined;
    }
    const field = this.fields.find(({ path }) => path === condition.field);
    const name = field ? localize(field.title, this.language) : condition.field;
    if ('of' in condition) return this.text(condition.of satisfies Relation, { field: name });
    if ('filled' in condition) return this.text(condition.filled ? 'filled' : 'empty', { field: name });
    if ('below' in condition) return this.text('below', { field: name, values: await this.namesOf(field, condition.below) });
    const values = ['is' in condition ? condition.is : condition.isNot].flat().map(String);
    if (values.length === 0) return this.text('is' in condition ? 'none' : 'all');
    return this.text('is' in condition ? 'is' : 'isNot', { field: name, values: await this.namesOf(field, values) });
  }

  private async namesOf(field: NamedScopeField | undefined, values: readonly string[]): Promise<string> {
    const shown = values.slice(0, shownValues);
    const names: string[] = [];
    if (field?.traits?.reference) await this.references.load(field.traits.reference, shown);
    for (const value of shown) names.push(await this.nameOf(field, value));
    const joined = names.join(this.language === 'zh' ? '、' : ', ');
    if (values.length <= shownValues) return joined;
    return this.text('several', { values: joined, count: String(this.language === 'zh' ? values.length : values.length - shownValues) });
  }

  private async nameOf(field: NamedScopeField | undefined, value: string): Promise<string> {
    const { reference, options } = field?.traits ?? {};
    const option = options?.find(([one]) => String(one) === value);
    if (option) return localize(option[1], this.language);
    if (!reference || !field?.traits) return value;
    return (await this.references.labelOf(field.traits, value, {})) ?? this.text('unseen');
  }

  private text(phrase: keyof typeof phrases, values: Readonly<Record<string, string>> = {}): string {
    return localize(phrases[phrase], this.language, values);
  }
}
