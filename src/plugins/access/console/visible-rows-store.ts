import type { Http } from '#kernel';
import type { ScopeCondition } from '#shared/scopes';
import { type RuleType, ruleTypes, type ScopeArea, type StoredRules, scopeRule } from '../scope-contract.ts';
import { PanelStore } from './panel-store.ts';

/** Role or person whose visible rows are set. */
export type RuleSubject = { readonly roleId: string } | { readonly userId: string };

/** Rule of one area as it is entered. */
export interface RuleDraft {
  readonly type: RuleType;
  readonly condition?: ScopeCondition | null;
}

interface VisibleRows {
  readonly status: 'loading' | 'ready' | 'failed';
  readonly areas: readonly ScopeArea[];
  readonly stored: StoredRules | undefined;
  /** Changed rules by entity. */
  readonly drafts: Readonly<Record<string, RuleDraft>>;
  readonly isSaving: boolean;
}

const follow: RuleDraft = { type: ruleTypes.follow };

/** Rules of a role or person until they are saved. */
export class VisibleRowsStore extends PanelStore<VisibleRows> {
  constructor(
    private readonly http: Http,
    readonly holder: RuleSubject,
  ) {
    super({ status: 'loading', areas: [], stored: undefined, drafts: {}, isSaving: false });
  }

  async load(): Promise<void> {
    this.patch({ status: 'loading' });
    const [areas, stored] = await Promise.all([this.http.send(scopeRule.areas, {}), this.http.send(scopeRule.stored, this.holder)]).catch(() => []);
    if (areas?.success && stored?.success) this.patch({ status: 'ready', areas: areas.data, stored: stored.data, drafts: {} });
    else this.patch({ status: 'failed' });
  }

  /** Returns the rule of an area as entered, or else as stored. */
  ruleOf(entity: string): RuleDraft {
    return this.state.drafts[entity] ?? this.storedOf(entity);
  }

  setRule(entity: string, rule: RuleDraft): void {
    const { [entity]: _, ...others } = this.state.drafts;
    this.patch({ drafts: JSON.stringify(rule) === JSON.stringify(this.storedOf(entity)) ? others : { ...others, [entity]: rule } });
  }

  /** Saves the changed rules; resolves true on success. */
  async save(): Promise<boolean> {
    const { drafts, stored, isSaving } = this.state;
    if (isSaving || !stored) return false;
    this.patch({ isSaving: true });
    const rules = Object.entries(drafts).map(([entity, rule]) => ({ entity, ...rule }));
    const answer = await this.http.send(scopeRule.set, { ...this.holder, rules, version: stored.version }).catch(() => undefined);
    this.patch({ isSaving: false, ...(answer?.success ? { stored: answer.data, drafts: {} } : {}) });
    return answer?.success === true;
  }

  private storedOf(entity: string): RuleDraft {
    const rule = this.state.stored?.rules.find((one) => one.entity === entity);
    if (!rule) return follow;
    const type = rule.type as RuleType;
    return type === ruleTypes.custom ? { type, condition: rule.condition ?? null } : { type };
  }
}
