import { Button } from '@arco-design/web-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';

interface ViewRowProps {
  readonly name: string;
  /** Name of the owner when the view belongs to another user. */
  readonly owner?: string;
  readonly onApply: () => void;
  /** Further actions on the view. */
  readonly children: ReactNode;
}

/** Renders one view; a click on its name applies it. */
export function ViewRow({ name, owner, onApply, children }: ViewRowProps) {
  const t = useTranslation();
  return (
    <li>
      <button type="button" className="crud-views__name" title={t('table.applyView', { name })} onClick={onApply}>
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
  /** State of a toggle button; absent for other buttons. */
  readonly isOn?: boolean;
  readonly onClick: () => void;
}

/** Renders a small button of a view. */
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
