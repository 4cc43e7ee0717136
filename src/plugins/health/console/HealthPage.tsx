import { type ReactNode, useMemo, useSyncExternalStore } from 'react';
import { Link } from 'react-router-dom';
import {
  ActionButton,
  ContributionBoundary,
  formatBytes,
  Hint,
  Icon,
  LoadedPart,
  lazyComponent,
  type SlotContribution,
  Tag,
  type Translate,
  useQuery,
  useRowsLink,
  useSlot,
  useTranslation,
} from '#kernel';
import { type HealthItem, type HealthProblem, type HealthSection, healthSections } from '#shared/health';
import type { LocalizedText } from '#shared/text';
import { type HealthReport, healthReport } from '../contract.ts';
import { BackupPanels } from '../extension.ts';
import styles from './health.module.css';
import { healthMessages } from './messages.ts';
import { durationText, ServerList } from './ServerList.tsx';

const refreshMs = 10_000;

/** Shows whether the deployment is healthy. Top task: find out whether it is, and otherwise what is wrong and what to do; 1 click (menu › Health). */
export default function HealthPage() {
  const t = useTranslation();
  // A hidden browser tab sends nothing, and reads at once when it is shown.
  const isVisible = useSyncExternalStore(onVisibilityChange, () => document.visibilityState !== 'hidden');
  const query = useQuery(healthReport, {}, { quiet: true, enabled: isVisible, refetchIntervalMs: () => refreshMs });
  return (
    <div className={styles.page}>
      {query.isPending ? (
        <Placeholder />
      ) : (
        <LoadedPart query={query}>
          {(report) => (
            <>
              <Summary report={report} isStale={query.error !== undefined} onRefresh={query.refetch} t={t} />
              <Sections report={report} />
            </>
          )}
        </LoadedPart>
      )}
    </div>
  );
}

function onVisibilityChange(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}

/** Skeleton of the summary and the sections while they load. */
function Placeholder() {
  const t = useTranslation();
  return (
    <div className={styles.placeholder} role="status">
      <span className="visually-hidden">{t(healthMessages.title)}…</span>
      <div />
      <div />
      <div />
    </div>
  );
}

interface SummaryProps {
  readonly report: HealthReport;
  /** True if the last refresh failed and an older report is shown. */
  readonly isStale: boolean;
  readonly onRefresh: () => void;
  readonly t: Translate;
}

/** Shows in one line whether there are problems, and lists them with their remedies, urgent ones first. */
function Summary({ report: { items, time }, isStale, onRefresh, t }: SummaryProps) {
  const problems = items
    .flatMap(({ id, section, problem }) => (problem ? [{ key: `${section} ${id}`, section, problem }] : []))
    .toSorted((one, other) => Number(other.problem.isUrgent) - Number(one.problem.isUrgent));
  const state = problems.length === 0 ? 'good' : problems.some(({ problem }) => problem.isUrgent) ? 'danger' : 'warning';
  return (
    <section className={styles.summary} data-state={state} aria-label={t(healthMessages.title)}>
      <div className={styles.head}>
        <Icon name={state === 'good' ? 'check' : 'warning'} size={24} />
        <h2>
          <span role="status">{problems.length === 0 ? t(healthMessages.allOperational) : t(healthMessages.needAttention, { count: problems.length })}</span>
        </h2>
        <span className={styles.time} data-failed={isStale}>
          {t(isStale ? healthMessages.refreshFailed : healthMessages.checkedAt, { time: time.slice(11) })}
        </span>
        <ActionButton onClick={onRefresh}>{t(healthMessages.refresh)}</ActionButton>
      </div>
      {problems.length > 0 && (
        <ul className={styles.problems} aria-label={t(healthMessages.problems)}>
          {problems.map(({ key, section, problem }) => (
            <Problem key={key} section={section} problem={problem} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Problem({ section, problem: { isUrgent, text, since, page } }: { readonly section: HealthSection; readonly problem: HealthProblem }) {
  const t = useTranslation();
  const linkOf = useRowsLink();
  const to = page === undefined ? undefined : linkOf({ menu: page });
  return (
    <li>
      <Tag tone={isUrgent ? 'danger' : 'warning'}>{t(isUrgent ? healthMessages.urgent : healthMessages.attention)}</Tag>
      <span>
        <strong>{t(healthSections[section])}</strong> {t(text)}
        {since && <small>{t(healthMessages.since, { time: since })}</small>}
        {to && <Link to={to}>{t(healthMessages.openPage)}</Link>}
      </span>
    </li>
  );
}

const emptyTexts: Readonly<Partial<Record<HealthSection, LocalizedText>>> = {
  queues: healthMessages.noQueues,
  certificates: healthMessages.noCertificates,
};

function Sections({ report: { items, servers } }: { readonly report: HealthReport }) {
  const panels = useSlot(BackupPanels);
  const sections = (Object.keys(healthSections) as HealthSection[]).map((section) => ({ section, items: items.filter((item) => item.section === section) }));
  return (
    <div className={styles.sections}>
      {sections.map(({ section, items: found }) => {
        if (section === 'servers')
          return (
            <Card key={section} section={section} items={found}>
              <ServerList servers={servers} />
            </Card>
          );
        const sectionPanels = section === 'backup' ? panels : [];
        // A deployment without the backup plugin has no such section.
        if (section === 'backup' && found.length + sectionPanels.length === 0) return null;
        return (
          <Card key={section} section={section} items={found}>
            <Facts items={found} empty={emptyTexts[section] ?? healthMessages.none} />
            {sectionPanels.map((contribution) => (
              <SectionPanel key={contribution.key} contribution={contribution} />
            ))}
          </Card>
        );
      })}
    </div>
  );
}

function SectionPanel({ contribution }: { readonly contribution: SlotContribution<{ readonly load: () => Promise<{ readonly default: () => ReactNode }> }> }) {
  const { load } = contribution.part;
  const Content = useMemo(() => lazyComponent(load), [load]);
  return (
    <ContributionBoundary owner={contribution}>
      <Content />
    </ContributionBoundary>
  );
}

interface CardProps {
  readonly section: HealthSection;
  readonly items: readonly HealthItem[];
  readonly children: ReactNode;
}

/** One section with its heading, which carries the worst state of its facts. */
function Card({ section, items, children }: CardProps) {
  const t = useTranslation();
  const problems = items.flatMap(({ problem }) => problem ?? []);
  const title = t(healthSections[section]);
  return (
    <section className={styles.card} aria-label={title} data-section={section}>
      <h2>
        {title}
        {problems.length > 0 && (
          <Tag tone={problems.some(({ isUrgent }) => isUrgent) ? 'danger' : 'warning'}>{t(healthMessages.needAttention, { count: problems.length })}</Tag>
        )}
      </h2>
      {children}
    </section>
  );
}

/** Lists the facts of a section; problems without a value are in the summary only. */
function Facts({ items, empty }: { readonly items: readonly HealthItem[]; readonly empty: LocalizedText }) {
  const t = useTranslation();
  const facts = items.filter(({ value, text }) => value !== undefined || text !== undefined);
  if (facts.length === 0) return items.length === 0 ? <Hint>{t(empty)}</Hint> : null;
  return (
    <dl className={styles.facts}>
      {facts.map((item) => (
        <div key={item.id} data-tone={item.problem && (item.problem.isUrgent ? 'danger' : 'warning')}>
          <dt>{t(item.title)}</dt>
          <dd>{valueText(item, t)}</dd>
        </div>
      ))}
    </dl>
  );
}

function valueText({ value = 0, unit, text }: HealthItem, t: Translate): string {
  if (text) return t(text);
  if (unit === 'bytes') return formatBytes(value);
  if (unit === 'seconds') return durationText(value, t);
  return value.toLocaleString('en');
}
