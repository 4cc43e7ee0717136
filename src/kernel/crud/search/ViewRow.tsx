import { Button } from '@arco-design/web-react';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/use-words.ts';

interface ViewRowProps {
  readonly name: string;
  /** Whose it is, where it is another's. */
  readonly owner?: string;
  readonly onApply: () => void;
  /** What else is done with it. */
  readonly children: ReactNode;
}

/** One view: its name shows it. */
export function ViewRow({ name, owner, onApply, children }: ViewRowProps) {
  const text = useText();
  return (
    <li>
      <button type="button" className="crud-views__name" title={text('table.applyView', { name })} onClick={onApply}>
        <span className="crud-views__title">{name}</span>
        {owner && <span className="crud-views__owner">{owner}</span>}
      </button>
      {children}
    </li>
  );
}

interface ViewToolProps {
  readonly icon: ReactNode;
  readonly title: string;
  /** Given where it is either on or off. */
  readonly isOn?: boolean;
  readonly onClick: () => void;
}

/** A small button of a view. */
export function ViewTool({ icon, title, isOn, onClick }: ViewToolProps) {
  return (
    <Button
      type="text"
      size="small"
      icon={icon}
      aria-label={title}
      title={title}
      className={isOn === false ? 'crud-views__tool_off' : ''}
      {...(isOn === undefined ? {} : { 'aria-pressed': isOn })}
      onClick={onClick}
    />
  );
}
