import type { FieldTraits } from '#shared/fields';
import type { Language, LocalizedText } from '#shared/text';

/** Work that a user can be given: a role, or a page with its buttons. */
export interface Work {
  /** `role:` with the id of a role, or `page:` with the code of a page. */
  readonly key: string;
  readonly title: string;
  /** Menu group of a page; empty for a role. */
  readonly group: string;
  /** Pages of a role, or buttons of a page. */
  readonly parts: string[];
  /** Entities that can limit the rows of the work, such as advertisers. */
  readonly targets: string[];
}

/** Field whose values limit the rows of work. */
export interface WorkField {
  /** Entity of the rows that it names. */
  readonly target: string;
  readonly title: LocalizedText;
  /** Source of its values. */
  readonly traits: FieldTraits;
}

/** Work that a user can give, and the fields by which it can be limited. */
export interface WorkOffer {
  readonly works: Work[];
  readonly fields: WorkField[];
}

/** Rows to which work is limited: those of these advertisers, for example. */
export interface WorkLimit {
  readonly target: string;
  readonly ids: readonly string[];
}

/** User who gives work: the principal of the request, with the language of the texts. */
export interface WorkGiver {
  readonly principal: { readonly tenantId: string; readonly userId: string };
  readonly language: Language;
}

/** Port through which the plugin of the accounts gives users work. Calls take part in the current transaction, and give nothing that the giver lacks. */
export abstract class WorkGrants {
  /** Lists the work that the giver can give: roles, and pages where the giver can also create roles. */
  abstract offer(giver: WorkGiver): Promise<WorkOffer>;
  /** Returns the role with exactly these pages and their buttons, and creates it if there is none. */
  abstract roleFor(giver: WorkGiver, codes: readonly string[]): Promise<string>;
  /** Limits the rows that the given work shows the user; throws for a limit that none of it has. */
  abstract limit(giver: WorkGiver, userId: string, given: { readonly works: readonly string[]; readonly limits: readonly WorkLimit[] }): Promise<void>;
}
