import { Button, Checkbox, Input, Select } from '@arco-design/web-react';
import { useId, useState } from 'react';
import {
  FieldControl,
  matchesSearch,
  SidePanel,
  Toasts,
  useCan,
  useMutation,
  usePinyin,
  useQuery,
  useService,
  useTranslation,
  useUnsavedChanges,
} from '#kernel';
import type { OneTimePassword } from '#shared/one-time-passwords';
import { type UserRow, user as userCalls } from '../contract.ts';
import { type Work, type WorkField, workCalls } from '../work-contract.ts';
import styles from './GiveWork.module.css';
import { giveWorkMessages } from './give-work-messages.ts';
import { limitsOf, requestOf, type WorkDraft } from './give-work-store.ts';

interface GiveWorkPanelProps {
  /** User who gets the work; undefined to pick or create one. */
  readonly user: UserRow | undefined;
  readonly onGiven: (password: OneTimePassword | undefined) => void;
  readonly onClose: () => void;
}

/** Gives a user work. Top task: audit of two advertisers for a new user, 7 clicks from the list of users to the password slip. */
export default function GiveWorkPanel(props: GiveWorkPanelProps) {
  const t = useTranslation();
  const { user, onClose } = props;
  return (
    <SidePanel open title={user ? t(giveWorkMessages.giveTo, { name: user.realName }) : t(giveWorkMessages.give)} width={640} onClose={onClose}>
      <GiveWork {...props} />
    </SidePanel>
  );
}

const emptyDraft: WorkDraft = { userId: undefined, account: '', realName: '', phone: '', works: [], limits: {} };

function GiveWork({ user, onGiven, onClose }: GiveWorkPanelProps) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const mayLimit = useCan('role_grant');
  const { data: offer, error } = useQuery(workCalls.works, {}, { quiet: true });
  const works = offer?.works;
  const [draft, setDraft] = useState<WorkDraft>({ ...emptyDraft, userId: user?.id });
  const [isSent, setIsSent] = useState(false);
  useUnsavedChanges(!isSent && (draft.works.length > 0 || draft.account !== '' || draft.realName !== ''));
  const change = (part: Partial<WorkDraft>) => setDraft((before) => ({ ...before, ...part }));
  const fields = limitsOf(works ?? [], draft.works, offer?.fields ?? []);
  const request = requestOf(draft, fields);
  const {
    isPending,
    error: failure,
    mutate,
  } = useMutation(workCalls.give, {
    quiet: true,
    onSuccess: ({ realName, oneTimePassword }) => {
      setIsSent(true);
      toasts.success(t(giveWorkMessages.given, { name: realName }));
      onGiven(oneTimePassword);
    },
  });
  const titles = (works ?? []).filter(({ key }) => draft.works.includes(key)).map(({ title }) => title);
  const limitedBy = fields.filter(({ target }) => (draft.limits[target] ?? []).length > 0).map(({ title }) => t(title));
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (request) void mutate(request);
      }}
    >
      {!user && <Person draft={draft} onChange={change} />}
      <section className={styles.step}>
        <h3>{t(giveWorkMessages.what)}</h3>
        {error && <p role="alert">{t(giveWorkMessages.worksFailed)}</p>}
        {works && <WorkList works={works} heldRoles={user?.roleId ?? []} selected={draft.works} onSelect={(selected) => change({ works: selected })} />}
      </section>
      {mayLimit && (
        <section className={styles.step}>
          <h3>{t(giveWorkMessages.which)}</h3>
          <WorkLimits fields={fields} isReady={draft.works.length > 0} limits={draft.limits} onChange={(limits) => change({ limits })} />
          {user && limitedBy.length > 0 && <p className={styles.note}>{t(giveWorkMessages.replaces)}</p>}
        </section>
      )}
      <footer className={styles.foot}>
        <p className={styles.summary} role="status">
          {titles.length > 0 &&
            t(giveWorkMessages.summary, {
              name: user?.realName || draft.realName || t(giveWorkMessages.somebody),
              works: titles.join(t(giveWorkMessages.separator)),
            }) +
              (limitedBy.length > 0 ? t(giveWorkMessages.limitedBy, { fields: limitedBy.join(t(giveWorkMessages.separator)) }) : t(giveWorkMessages.unlimited))}
        </p>
        {failure && (
          <p className={styles.failure} role="alert">
            {failure}
          </p>
        )}
        <Button type="primary" htmlType="submit" loading={isPending} disabled={!request}>
          {t(giveWorkMessages.submit)}
        </Button>
        <Button onClick={onClose}>{t(giveWorkMessages.cancel)}</Button>
      </footer>
    </form>
  );
}

interface PersonProps {
  readonly draft: WorkDraft;
  readonly onChange: (part: Partial<WorkDraft>) => void;
}

/** Selects an existing user, or reads the name, account and phone of a new one. */
function Person({ draft, onChange }: PersonProps) {
  const t = useTranslation();
  const mayAdd = useCan('user_add');
  const id = useId();
  const [isKnown, setIsKnown] = useState(!mayAdd);
  const { account, realName, phone } = userCalls.entity.fields;
  const select = (known: boolean) => {
    setIsKnown(known);
    onChange({ userId: undefined, account: '', realName: '', phone: '' });
  };
  const field = (name: 'realName' | 'account' | 'phone', title: string, isFirst = false) => (
    <div className={styles.field}>
      <label htmlFor={`${id}-${name}`}>{title}</label>
      <Input id={`${id}-${name}`} autoFocus={isFirst} value={draft[name]} maxLength={64} autoComplete="off" onChange={(value) => onChange({ [name]: value })} />
    </div>
  );
  return (
    <section className={styles.step}>
      <h3>{t(giveWorkMessages.who)}</h3>
      {isKnown ? (
        <KnownPerson userId={draft.userId} onSelect={(userId) => onChange({ userId })} />
      ) : (
        <div className={styles.fields}>
          {field('realName', t(titleOf(realName)), true)}
          {field('account', t(titleOf(account)))}
          {field('phone', t(titleOf(phone)))}
        </div>
      )}
      {mayAdd && (
        <button type="button" className={styles.switch} onClick={() => select(!isKnown)}>
          {t(isKnown ? giveWorkMessages.fresh : giveWorkMessages.known)}
        </button>
      )}
    </section>
  );
}

const titleOf = (schema: unknown) => (schema as { readonly field: { readonly title: readonly [string, string] } }).field.title;

/** Milliseconds that the typing of a name must rest before users are searched. */
const searchDelayMs = 300;

/** Finds a user by name. */
function KnownPerson({ userId, onSelect }: { readonly userId: string | undefined; readonly onSelect: (userId: string) => void }) {
  const t = useTranslation();
  const [text, setText] = useState('');
  const input = { size: 20, ...(text ? { realName_match: text } : {}) };
  const { data } = useQuery(userCalls.list, input, { quiet: true, keepPreviousData: true, debounceMs: text ? searchDelayMs : 0 });
  return (
    <Select
      showSearch
      filterOption={false}
      aria-label={t(giveWorkMessages.person)}
      placeholder={t(giveWorkMessages.findPerson)}
      notFoundContent={<p className={styles.note}>{t(giveWorkMessages.noPerson)}</p>}
      options={(data?.records ?? []).map(({ id, realName, account }) => ({ value: id, label: `${realName} · ${account}` }))}
      {...(userId ? { value: userId } : {})}
      onSearch={setText}
      onChange={onSelect}
    />
  );
}

interface WorkListProps {
  readonly works: readonly Work[];
  /** Ids of roles that the user has already. */
  readonly heldRoles: readonly string[];
  readonly selected: readonly string[];
  readonly onSelect: (selected: readonly string[]) => void;
}

/** Lists work by menu group, the roles first, and selects one or several. */
function WorkList({ works, heldRoles, selected, onSelect }: WorkListProps) {
  const t = useTranslation();
  const [text, setText] = useState('');
  usePinyin(text !== '');
  const found = works.filter(({ title, parts, group }) => [title, group, ...parts].some((one) => matchesSearch(one, text)));
  const groups = [...new Set(found.map(({ group }) => group))];
  if (works.length === 0) return <p className={styles.note}>{t(giveWorkMessages.noWork)}</p>;
  return (
    <>
      <Input.Search allowClear value={text} onChange={setText} placeholder={t(giveWorkMessages.findWork)} aria-label={t(giveWorkMessages.findWork)} />
      {found.length === 0 && <p className={styles.note}>{t(giveWorkMessages.noMatch)}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <section className={styles.works} aria-label={t(giveWorkMessages.what)} tabIndex={0}>
        {groups.map((group) => (
          <fieldset key={group} className={styles.group}>
            <legend>{group || t(giveWorkMessages.roles)}</legend>
            {found
              .filter((work) => work.group === group)
              .map((work) => {
                const isHeld = heldRoles.some((id) => work.key === `role:${id}`);
                return (
                  <Checkbox
                    key={work.key}
                    className={styles.work ?? ''}
                    checked={isHeld || selected.includes(work.key)}
                    disabled={isHeld}
                    onChange={(isWanted) => onSelect(isWanted ? [...selected, work.key] : selected.filter((key) => key !== work.key))}
                  >
                    {work.title}
                    <span className={styles.parts} title={work.parts.join(t(giveWorkMessages.separator))}>
                      {isHeld ? t(giveWorkMessages.held) : work.parts.join(t(giveWorkMessages.separator))}
                    </span>
                  </Checkbox>
                );
              })}
          </fieldset>
        ))}
      </section>
    </>
  );
}

interface WorkLimitsProps {
  readonly fields: readonly WorkField[];
  /** False until work has been selected, whose records can be limited. */
  readonly isReady: boolean;
  readonly limits: WorkDraft['limits'];
  readonly onChange: (limits: WorkDraft['limits']) => void;
}

/** Picks the advertisers, cities, departments and so on whose records the work covers. */
function WorkLimits({ fields, isReady, limits, onChange }: WorkLimitsProps) {
  const t = useTranslation();
  if (fields.length === 0) return <p className={styles.note}>{t(isReady ? giveWorkMessages.noLimits : giveWorkMessages.pickWork)}</p>;
  return (
    <>
      <p className={styles.note}>{t(giveWorkMessages.everything)}</p>
      <div className={styles.fields}>
        {fields.map((field) => (
          <Limit key={field.target} field={field} ids={limits[field.target] ?? []} onChange={(ids) => onChange({ ...limits, [field.target]: ids })} />
        ))}
      </div>
    </>
  );
}

interface LimitProps {
  readonly field: WorkField;
  readonly ids: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

function Limit({ field: { target, title, traits }, ids, onChange }: LimitProps) {
  const t = useTranslation();
  const id = useId();
  const control = {
    id,
    field: { name: target, schema: {}, traits: { ...traits, title, multiple: true }, required: false, excludesRoot: true },
    value: ids,
    disabled: false,
    isInvalid: false,
    describedBy: undefined,
    onChange: (picked: unknown) => onChange([picked ?? []].flat().map(String)),
  };
  return (
    <div className={styles.field}>
      <span id={`${id}-label`}>{t(title)}</span>
      <FieldControl {...control} />
    </div>
  );
}
