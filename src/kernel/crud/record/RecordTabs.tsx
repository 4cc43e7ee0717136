import { type KeyboardEvent, type ReactNode, useId } from 'react';

/** One part of a record. */
export interface RecordPart {
  readonly key: string;
  readonly title: string;
  /** Number of rows, as text. */
  readonly count?: string | undefined;
}

interface RecordTabsProps {
  /** Accessible name of the tabs. */
  readonly label: string;
  readonly parts: readonly RecordPart[];
  readonly current: string;
  readonly onChange: (key: string) => void;
  readonly children: ReactNode;
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Renders the parts of a record as tabs; arrow keys, Home and End move between them. A record of one part has no tabs. */
export function RecordTabs({ label, parts, current, onChange, children }: RecordTabsProps) {
  const id = useId();
  if (parts.length < 2) return <div className="record__part">{children}</div>;
  const index = parts.findIndex(({ key }) => key === current);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = steps[event.key];
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? parts.length - 1 : step && (index + step + parts.length) % parts.length;
    const part = to === undefined ? undefined : parts[to];
    if (!part) return;
    event.preventDefault();
    onChange(part.key);
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[to as number]?.focus();
  };
  return (
    <>
      <div className="record__tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {parts.map(({ key, title, count }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            className="record__tab"
            aria-selected={key === current}
            aria-controls={`${id}-panel`}
            tabIndex={key === current ? 0 : -1}
            onClick={() => onChange(key)}
          >
            {title}
            {count !== undefined && <span className="record__count">{count}</span>}
          </button>
        ))}
      </div>
      <div className="record__part" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </>
  );
}
