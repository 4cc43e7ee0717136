import { type LocalizedText, localize } from '../text/text.ts';
import type { Option } from './fields.ts';

interface ParameterTraits {
  /** Key, unique in the deployment: `task.leaseMinutes`. */
  readonly key: string;
  /** Heading under which the parameter is listed. */
  readonly group: LocalizedText;
  readonly title: LocalizedText;
  /** Effect of the parameter, in one sentence. */
  readonly help: LocalizedText;
  /** True to let a tenant set its own value, which overrides the deployment's. */
  readonly isPerTenant?: boolean;
}

/** An integer within limits. */
export interface IntegerParameter extends ParameterTraits {
  readonly type: 'whole';
  readonly preset: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly unit?: LocalizedText;
}

/** Any text. */
export interface TextParameter extends ParameterTraits {
  readonly type: 'text';
  readonly preset: string;
}

/** A boolean, stored as `true` or `false`. */
export interface FlagParameter extends ParameterTraits {
  readonly type: 'flag';
  readonly preset: boolean;
}

/** One of a few fixed texts. */
export interface ChoiceParameter extends ParameterTraits {
  readonly type: 'choice';
  readonly preset: string;
  readonly options: readonly Option[];
}

/** A setting that can change while the server runs, declared once by the kernel or by the plugin that reads it. */
export type Parameter = IntegerParameter | TextParameter | FlagParameter | ChoiceParameter;

type ParameterDefinition<P extends Parameter> = Omit<P, 'type'>;

/** Declares an integer parameter, from 0 to 999,999,999 by default. */
export const integerParameter = (
  definition: Omit<ParameterDefinition<IntegerParameter>, 'minimum' | 'maximum'> & Partial<Pick<IntegerParameter, 'minimum' | 'maximum'>>,
): IntegerParameter => ({
  minimum: 0,
  maximum: 999_999_999,
  ...definition,
  type: 'whole',
});
/** Declares a text parameter. */
export const textParameter = (definition: ParameterDefinition<TextParameter>): TextParameter => ({ ...definition, type: 'text' });
/** Declares a boolean parameter. */
export const flagParameter = (definition: ParameterDefinition<FlagParameter>): FlagParameter => ({ ...definition, type: 'flag' });
/** Declares a parameter with fixed options. */
export const choiceParameter = (definition: ParameterDefinition<ChoiceParameter>): ChoiceParameter => ({ ...definition, type: 'choice' });

/** Returns the key under which the value of one tenant is stored. */
export const tenantKey = ({ key }: Pick<Parameter, 'key'>, tenantId: string): string => `${key}.${tenantId}`;

/** Validates a text as the value of a parameter; returns a message with the parameter's title, or undefined for a valid value. */
export function parameterProblem(parameter: Parameter, text: string): LocalizedText | undefined {
  const value = text.trim();
  const { title } = parameter;
  switch (parameter.type) {
    case 'whole': {
      const { minimum, maximum } = parameter;
      if (/^-?\d{1,15}$/.test(value) && Number(value) >= minimum && Number(value) <= maximum) return undefined;
      return [`${title[0]}须为 ${minimum} 到 ${maximum} 的整数`, `${title[1]} must be an integer from ${minimum} to ${maximum}.`];
    }
    case 'flag':
      return value === 'true' || value === 'false' ? undefined : [`${title[0]}须为 true 或 false`, `${title[1]} must be true or false.`];
    case 'choice': {
      if (parameter.options.some(([option]) => String(option) === value)) return undefined;
      const offered = (language: 'zh' | 'en') => parameter.options.map(([option, label]) => `${option} (${localize(label, language)})`).join(', ');
      return [`${title[0]}只能是 ${offered('zh')}`, `${title[1]} must be one of ${offered('en')}.`];
    }
    case 'text':
      return undefined;
  }
}
