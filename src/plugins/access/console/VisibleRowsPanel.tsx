import { Button } from '@arco-design/web-react';
import { Suspense, useEffect, useState } from 'react';
import { Http, lazyComponent, NamedSelect, SidePanel, Toasts, usePageStore, useQuery, useService, useStore, useTranslation, useUnsavedChanges } from '#kernel';
import type { ScopeCondition } from '#shared/scopes';
import type { LocalizedText } from '#shared/text';
import { roleMessages } from '../contract.ts';
import { type RuleType, ruleTypes, type ScopeArea, type StoredRules, scopeRule } from '../scope-contract.ts';
import access from './access.module.css';
import { PanelStore } from './panel-store.ts';
import styles from './scope.module.css';
import { visibleRowMessages } from './scope-messages.ts';

/** Role or person whose visible rows are set. */
type RuleSubject = { readonly roleId: string } | { readonly userId: string };

/** Rule of one area as it is entered. */
interface RuleDraft {
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
class VisibleRowsStore extends PanelStore<VisibleRows> {
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

const ScopeBuilder = lazyComponent(() => import('./ScopeBuilder.tsx'));

interface VisibleRowsPanelProps {
  readonly subject: RuleSubject;
  readonly name: string;
  readonly onClose: () => void;
}

/** Panel that sets which rows a role shows, or a person sees. */
export function VisibleRowsPanel({ subject, name, onClose }: VisibleRowsPanelProps) {
  const t = useTranslation();
  const title = t(visibleRowMessages.titleFor, { name });
  return (
    <SidePanel open title={title} width={880} onClose={onClose}>
      <Rules subject={subject} onClose={onClose} />
    </SidePanel>
  );
}

/** The same panel for a person by their id, once their name is known. */
export function PersonRows({ userId, onClose }: { readonly userId: string; readonly onClose: () => void }) {
  const { data } = useQuery(scopeRule.person, { userId });
  return data ? <VisibleRowsPanel subject={{ userId }} name={data.name} onClose={onClose} /> : null;
}

function Rules({ subject, onClose }: Omit<VisibleRowsPanelProps, 'name'>) {
  const t = useTranslation();
  const http = useService(Http);
  const toasts = useService(Toasts);
  const store = usePageStore(() => new VisibleRowsStore(http, subject));
  useEffect(() => store.loadOnce(), [store]);
  const { status, areas, stored, drafts, isSaving } = useStore(store, (state) => state);
  const [showsAll, setShowsAll] = useState(false);
  const [edited, setEdited] = useState<ScopeArea>();
  const changedCount = Object.keys(drafts).length;
  useUnsavedChanges(changedCount > 0);
  if (status === 'failed')
    return (
      <p role="alert" className={access.state}>
        {t(roleMessages.failed)} <Button onClick={() => void store.load()}>{t(roleMessages.retry)}</Button>
      </p>
    );
  const granted = areas.filter(({ entity, codes }) => codes.some((code) => stored?.codes.includes(code)) || store.ruleOf(entity).type !== ruleTypes.follow);
  const shown = showsAll ? areas : granted;
  const save = async () => {
    if (!(await store.save())) return;
    toasts.success(t(roleMessages.saved));
    onClose();
  };
  return (
    <div className={access.grants} aria-busy={status === 'loading'}>
      <div className={styles.content}>
        <p className={styles.hint}>{t('roleId' in subject ? visibleRowMessages.roleHint : visibleRowMessages.personHint)}</p>
        {status === 'ready' && shown.length === 0 && <p className={access.state}>{t(visibleRowMessages.noAreas)}</p>}
        {shown.length > 1 && <SetAll areas={shown} store={store} />}
        <AreaTable areas={shown} store={store} onEdit={setEdited} />
        {granted.length < areas.length && !showsAll && (
          <Button type="text" size="small" className={styles.more ?? ''} onClick={() => setShowsAll(true)}>
            {t(visibleRowMessages.showAll, { count: areas.length - granted.length })}
          </Button>
        )}
      </div>
      <div className={access.foot}>
        <span className={access.changes} aria-live="polite">
          {changedCount > 0 && t(visibleRowMessages.changed, { count: changedCount })}
        </span>
        <Button onClick={onClose}>{t('shell.cancel')}</Button>
        <Button type="primary" loading={isSaving} disabled={changedCount === 0} onClick={() => void save()}>
          {t(roleMessages.save)}
        </Button>
      </div>
      <Suspense>
        {edited && (
          <ScopeBuilder
            key={edited.entity}
            {...subject}
            area={edited}
            others={shown.filter(({ entity }) => entity !== edited.entity)}
            condition={store.ruleOf(edited.entity).condition}
            onClose={() => setEdited(undefined)}
            onDone={(conditions) => {
              for (const [entity, condition] of Object.entries(conditions)) store.setRule(entity, { type: ruleTypes.custom, condition });
              setEdited(undefined);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}

interface AreasProps {
  readonly areas: readonly ScopeArea[];
  readonly store: VisibleRowsStore;
}

/** A role without a rule shows everything; a person without one follows their roles. */
function useRuleOptions(store: VisibleRowsStore, types: readonly RuleType[]) {
  const t = useTranslation();
  const isRole = 'roleId' in store.holder;
  const titles: Readonly<Record<RuleType, LocalizedText>> = {
    [ruleTypes.follow]: isRole ? visibleRowMessages.all : visibleRowMessages.follow,
    [ruleTypes.all]: visibleRowMessages.all,
    [ruleTypes.own]: visibleRowMessages.own,
    [ruleTypes.department]: visibleRowMessages.department,
    [ruleTypes.departmentAndBelow]: visibleRowMessages.departmentAndBelow,
    [ruleTypes.custom]: visibleRowMessages.custom,
  };
  return types.filter((type) => !(isRole && type === ruleTypes.all)).map((type) => ({ value: type, label: t(titles[type]) }));
}

const simpleTypes = [ruleTypes.follow, ruleTypes.all, ruleTypes.own, ruleTypes.department, ruleTypes.departmentAndBelow] as const;
const allTypes = Object.values(ruleTypes);

function SetAll({ areas, store }: AreasProps) {
  const t = useTranslation();
  const options = useRuleOptions(store, simpleTypes);
  return (
    <div className={styles.setAll}>
      <NamedSelect
        size="small"
        name={t(visibleRowMessages.setAll)}
        placeholder={t(visibleRowMessages.setAll)}
        value={undefined}
        options={options}
        onChange={(type: RuleType) => {
          for (const { entity } of areas) store.setRule(entity, { type });
        }}
      />
    </div>
  );
}

function AreaTable({ areas, store, onEdit }: AreasProps & { readonly onEdit: (area: ScopeArea) => void }) {
  const groups = [...new Set(areas.map(({ group }) => group))];
  return (
    <div>
      {groups.map((group) => (
        <section key={group}>
          <h3 className={styles.group}>{group}</h3>
          <ul className={styles.rules}>
            {areas
              .filter((area) => area.group === group)
              .map((area) => (
                <AreaRow key={area.entity} area={area} store={store} onEdit={() => onEdit(area)} />
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

interface AreaRowProps extends Pick<AreasProps, 'store'> {
  readonly area: ScopeArea;
  readonly onEdit: () => void;
}

function AreaRow({ area: { entity, title }, store, onEdit }: AreaRowProps) {
  const t = useTranslation();
  const options = useRuleOptions(store, allTypes);
  const { stored, drafts } = useStore(store, (state) => state);
  const { type } = store.ruleOf(entity);
  const select = (selected: RuleType) => (selected === ruleTypes.custom ? onEdit() : store.setRule(entity, { type: selected }));
  const shownType = type === ruleTypes.all && 'roleId' in store.holder ? ruleTypes.follow : type;
  return (
    <li className={styles.rule}>
      <span className={styles.area}>{title}</span>
      <span className={styles.choice}>
        <NamedSelect name={t(visibleRowMessages.rangeOf, { name: title })} value={shownType} options={options} onChange={select} />
        {type === ruleTypes.custom && (
          <Button type="text" size="small" aria-label={t(visibleRowMessages.editOf, { name: title })} onClick={onEdit}>
            {t(visibleRowMessages.edit)}
          </Button>
        )}
      </span>
      <RuleSentence entity={entity} stored={stored} isChanged={entity in drafts} store={store} />
    </li>
  );
}

interface RuleSentenceProps extends Pick<AreasProps, 'store'> {
  readonly entity: string;
  readonly stored: VisibleRowsStore['state']['stored'];
  readonly isChanged: boolean;
}

/** The rule as a sentence: that of the server, or the preview of a condition that is not saved yet. */
function RuleSentence({ entity, stored, isChanged, store }: RuleSentenceProps) {
  const t = useTranslation();
  const { type } = store.ruleOf(entity);
  const rule = stored?.rules.find((one) => one.entity === entity);
  if (type === ruleTypes.follow && 'userId' in store.holder) {
    const inherited = stored?.inherited.find((one) => one.entity === entity);
    return (
      <span className={styles.soft}>{inherited ? t(visibleRowMessages.inherited, { sentence: inherited.sentence }) : t(visibleRowMessages.inheritedAll)}</span>
    );
  }
  if (type === ruleTypes.custom && isChanged) return <DraftSentence entity={entity} store={store} />;
  if (!rule || isChanged) return null;
  return (
    <span className={styles.soft}>
      {type === ruleTypes.custom && t(visibleRowMessages.visible, { sentence: rule.sentence })}
      {rule.within && <span className={styles.within}>{t(visibleRowMessages.within, { sentence: rule.within })}</span>}
    </span>
  );
}

function DraftSentence({ entity, store }: { readonly entity: string; readonly store: VisibleRowsStore }) {
  const t = useTranslation();
  const { condition } = store.ruleOf(entity);
  const { data } = useQuery(scopeRule.preview, { entity, type: ruleTypes.custom, condition: condition ?? null }, { quiet: true });
  return <span className={styles.soft}>{data ? t(visibleRowMessages.visible, { sentence: data.sentence }) : ''}</span>;
}
