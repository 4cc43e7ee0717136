import { Select } from '@arco-design/web-react';
import { IconCheckCircleFill, IconCloseCircleFill } from '@arco-design/web-react/icon';
import { useId, useState } from 'react';
import { LoadedPart, NamedSelect, SidePanel, Tabs, useQuery, useService, useTranslation } from '#kernel';
import { explainPage } from '#shared/menu-groups';
import type { Explanation, ExplanationStep } from '#shared/permission-explanation';
import { permissionExplanation } from '../explain-contract.ts';
import { roleMenu } from '../menus.ts';
import type { ExplainedRow } from './access-check-action.ts';
import styles from './explain.module.css';
import { explainMessages } from './explain-messages.ts';
import type { GrantBranch } from './grant-selection.ts';

interface AccessCheckPanelProps {
  readonly row: ExplainedRow;
  readonly onClose: () => void;
}

/** Explains a user's access to a row or a button, in a side panel of the list. Top task: see why a user sees a row, 2 clicks (menu entry, user). */
export default function AccessCheckPanel({ row, onClose }: AccessCheckPanelProps) {
  const t = useTranslation();
  return (
    <SidePanel
      open
      title={row.title ? t(explainMessages.checkAccess, { title: row.title }) : t(explainMessages.checkRecordAccess)}
      width={520}
      onClose={onClose}
    >
      <AccessExplanation row={row} onClose={onClose} />
    </SidePanel>
  );
}

function AccessExplanation({ row: { crud, id: rowId }, onClose }: AccessCheckPanelProps) {
  const t = useTranslation();
  const ids = { person: useId() };
  const [userId, setUserId] = useState('');
  const [subjectCode, setSubjectCode] = useState(crud.menu);
  const [text, setText] = useState('');
  const people = useQuery(permissionExplanation.people, { text }, { quiet: true, keepPreviousData: true });
  const entries = useQuery(permissionExplanation.entries, {}, { quiet: true });
  const buttons = findEntry(entries.data ?? [], crud.menu)?.children ?? [];
  const isRow = subjectCode === crud.menu;
  const query = useQuery(permissionExplanation.explain, { userId, about: subjectCode, ...(isRow ? { rowId } : {}) }, { enabled: userId !== '', quiet: true });
  return (
    <div className={styles.why}>
      <label htmlFor={ids.person}>{t(explainMessages.person)}</label>
      <Select
        id={ids.person}
        defaultPopupVisible
        showSearch
        filterOption={false}
        aria-label={t(explainMessages.person)}
        placeholder={t(explainMessages.selectUser)}
        notFoundContent={<p className={styles.empty}>{t(explainMessages.notFound)}</p>}
        options={(people.data ?? []).map(({ id, account, realName, deptName }) => ({
          value: id,
          label: [realName, account, deptName].filter(Boolean).join(' · '),
        }))}
        onSearch={setText}
        onChange={setUserId}
      />
      <span aria-hidden>{t(explainMessages.what)}</span>
      <NamedSelect
        name={t(explainMessages.what)}
        value={subjectCode}
        options={[
          { value: crud.menu, label: t(explainMessages.seesRow) },
          ...buttons.map(({ key, title }) => ({ value: key, label: t(explainMessages.usesButton, { title }) })),
        ]}
        onChange={setSubjectCode}
      />
      <section className={styles.whyAnswer} aria-live="polite">
        {userId === '' ? (
          <p className={styles.hint}>{t(explainMessages.whyHint)}</p>
        ) : (
          <LoadedPart query={query}>
            {(explanation) => <ExplanationResult explanation={explanation} isRow={isRow} rowId={rowId} onClose={onClose} />}
          </LoadedPart>
        )}
      </section>
    </div>
  );
}

interface ExplanationResultProps {
  readonly explanation: Explanation;
  readonly isRow: boolean;
  readonly rowId: string;
  readonly onClose: () => void;
}

/** Answers in one sentence, with the rule that decides and the page where it is changed. */
function ExplanationResult({ explanation, isRow, rowId, onClose }: ExplanationResultProps) {
  const t = useTranslation();
  const tabs = useService(Tabs);
  const { user, subject, isAllowed, steps } = explanation;
  const deciding = decidingSteps(explanation);
  const values = { user: user.name || user.account, name: t(subject.name) };
  const answer = isRow
    ? t(isAllowed ? explainMessages.canSeeRow : explainMessages.cannotSeeRow, values)
    : t(isAllowed ? explainMessages.allowed : explainMessages.refused, values);
  const Icon = isAllowed ? IconCheckCircleFill : IconCloseCircleFill;
  const settingsPath = settingsPathOf(
    steps.find(({ verdict }) => verdict === 'refuses') ?? steps.find(({ step }) => step === (isRow ? 'dataScope' : 'role')),
    user.id,
  );
  const open = (location: string) => {
    onClose();
    tabs.open({ location });
  };
  return (
    <>
      <p className={isAllowed ? styles.allowed : styles.refused}>
        <Icon aria-hidden /> {answer}
      </p>
      {deciding.map(({ step, sentence }) => (
        <p key={step}>{t(sentence)}</p>
      ))}
      <div className={styles.links}>
        {settingsPath && (
          <button type="button" className={styles.link} onClick={() => open(settingsPath)}>
            {t(explainMessages.change)}
          </button>
        )}
        <button
          type="button"
          className={styles.link}
          onClick={() => open(`${explainPage.path}/index?${new URLSearchParams({ userId: user.id, about: subject.about, ...(isRow ? { rowId } : {}) })}`)}
        >
          {t(explainMessages.allSteps)}
        </button>
      </div>
    </>
  );
}

/** Returns the step that refuses access, or the role and data scope steps that allow it. */
function decidingSteps({ isAllowed, steps }: Explanation): readonly ExplanationStep[] {
  if (!isAllowed) return steps.filter(({ verdict }) => verdict === 'refuses').slice(0, 1);
  return steps.filter(({ step, verdict }) => verdict === 'allows' && (step === 'role' || step === 'dataScope'));
}

/** Returns the path of the page where a step is changed; undefined for steps that only the platform can change (plugin, package). */
function settingsPathOf(step: ExplanationStep | undefined, userId: string): string | undefined {
  if (!step || step.step === 'plugin' || step.step === 'package') return undefined;
  if (step.step === 'account') return '/system/user/index';
  return `${roleMenu.path}/index?person=${userId}`;
}

/** Finds a menu entry in a tree by its key. */
function findEntry(branches: readonly GrantBranch[], key: string): GrantBranch | undefined {
  for (const branch of branches) {
    const found = branch.key === key ? branch : findEntry(branch.children ?? [], key);
    if (found) return found;
  }
  return undefined;
}
