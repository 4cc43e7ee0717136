import type { ChoiceParameter, FlagParameter, IntegerParameter, TextParameter } from '#shared/parameters';

/** Settings that administrators change while the server runs. Key and default come from the declaration, so parameters work without the plugin that stores them. */
export abstract class Parameters {
  /** Returns the default if the stored text is not a whole number, and the nearest limit if it is out of range. */
  abstract integer(parameter: IntegerParameter, tenantId?: string): Promise<number>;
  abstract text(parameter: TextParameter | ChoiceParameter, tenantId?: string): Promise<string>;
  abstract flag(parameter: FlagParameter, tenantId?: string): Promise<boolean>;
}
