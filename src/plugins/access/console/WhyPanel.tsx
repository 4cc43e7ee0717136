import { Select } from '@arco-design/web-react';
import { IconCheckCircleFill, IconCloseCircleFill } from '@arco-design/web-react/icon';
import { useId, useState } from 'react';
import { LoadedPart, NamedSelect, SidePanel, Tabs, useQuery, useService, useTranslation } from '#kernel';
import { explainPage } from '#shared/menu-groups';
import type { Explanation, ExplanationStep } from '#shared/permission-explanation';
import { permissionExplanation } from '../explain-contract.ts';
import { roleMenu } from '../menus.ts';
import styles from './explain.module.css';
import { explainMessages } from './explain-messages.ts';
import type { GrantBranch } from './grant-selection.ts';
import type { AskedRow } from './why-action.ts';

interface WhyPanelProps {
  readonly asked: AskedRow;
  readonly onClose: () => void;
}

/** Explains beside a list whether a user sees a row, or may use a button of the page. Top task: 2 clicks from the row, the menu entry and the person. */
export default function WhyPanel({ asked, onClose }: WhyPanelProps) {
  const t = useTranslation();
  return (
    <SidePanel open title={asked.title ? t(explainMessages.whoSees, { title: asked.title }) : t(explainMessages.whoSeesRow)} width={520} onClose={onClose}>
      <Why asked={asked} onClose={onClose} />
    </SidePanel>
  );
}

function Why({ asked: { crud, id: rowId }, onClose }: WhyPanelProps) {
  const t = useTranslation();
  const ids = { person: useId() };
  const [userId, setUserId] = useState('');
  const [about, setAbout] = useState(crud.menu);
  const [text, setText] = useState('');
  const people = useQuery(permissionExplanation.people, { text }, { quiet: true, keepPreviousData: true });
  const entries = useQuery(permissionExplanation.entries, {}, { quiet: true });
  const buttons = branchOf(entries.data ?? [], crud.menu)?.children ?? [];
  const isRow = about === crud.menu;
  const query = useQuery(permissionExplanation.explain, { userId, about, ...(isRow ? { rowId } : {}) }, { enabled: userId !== '', quiet: true });
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
        value={about}
        options={[
          { value: crud.menu, label: t(explainMessages.seesRow) },
          ...buttons.map(({ key, title }) => ({ value: key, label: t(explainMessages.usesButton, { title }) })),
        ]}
        onChange={setAbout}
      />
      <section className={styles.whyAnswer} aria-live="polite">
        {userId === '' ? (
          <p className={styles.hint}>{t(explainMessages.whyHint)}</p>
        ) : (
          <LoadedPart query={query}>{(explanation) => <Sentence explanation={explanation} isRow={isRow} rowId={rowId} onClose={onClose} />}</LoadedPart>
        )}
      </section>
    </div>
  );
}

interface SentenceProps {
  readonly explanation: Explanation;
  readonly isRow: boolean;
  readonly rowId: string;
  readonly onClose: () => void;
}

/** Answers in one sentence, with the rule that decides and the page where it is changed. */
function Sentence({ explanation, isRow, rowId, onClose }: SentenceProps) {
  const t = useTranslation();
  const tabs = useService(Tabs);
  const { user, subject, isAllowed, steps } = explanation;
  const deciding = decidingSteps(explanation);
  const values = { user: user.name || user.account, name: t(subject.name) };
  const answer = isRow
    ? t(isAllowed ? explainMessages.canSeeRow : explainMessages.cannotSeeRow, values)
    : t(isAllowed ? explainMessages.allowed : explainMessages.refused, values);
  const Icon = isAllowed ? IconCheckCircleFill : IconCloseCircleFill;
  const change = changeAt(steps.find(({ verdict }) => verdict === 'refuses') ?? steps.find(({ step }) => step === (isRow ? 'dataScope' : 'role')), user.id);
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
        {change && (
          <button type="button" className={styles.link} onClick={() => open(change)}>
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

/** Returns the refusing step, or the steps that give what was asked. */
function decidingSteps({ isAllowed, steps }: Explanation): readonly ExplanationStep[] {
  if (!isAllowed) return steps.filter(({ verdict }) => verdict === 'refuses').slice(0, 1);
  return steps.filter(({ step, verdict }) => verdict === 'allows' && (step === 'role' || step === 'dataScope'));
}

/** Returns the page where a step is changed; undefined for the decisions of the platform. */
function changeAt(step: ExplanationStep | undefined, userId: string): string | undefined {
  if (!step || step.step === 'plugin' || step.step === 'package') return undefined;
  if (step.step === 'account') return '/system/user/index';
  return `${roleMenu.path}/index?person=${userId}`;
}

/** Finds the entry of a page. */
function branchOf(branches: readonly GrantBranch[], key: string): GrantBranch | undefined {
  for (const branch of branches) {
    const found = branch.key === key ? branch : branchOf(branch.children ?? [], key);
    if (found) return found;
  }
  return undefined;
}
