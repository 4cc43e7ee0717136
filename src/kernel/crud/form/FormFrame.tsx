import { IconArrowLeft } from '@arco-design/web-react/icon';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import SidePanelSheet from '../../ui/overlays/SidePanelSheet.tsx';
import { IconButton } from '../../ui/primitives/IconButton.tsx';
import type { CrudPageProps, Row } from '../model/crud-screen.ts';
import { rowName } from '../model/entity-fields.ts';
import { ScreenDialog } from './ScreenDialog.tsx';

interface FormFrameProps extends Pick<CrudPageProps, 'presentation' | 'formWidth'> {
  readonly title: string;
  readonly container: () => Element;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Frame of a form or a view: a dialog over the page, a drawer beside it, or the page itself with a back button. It is hidden and kept with its page. */
export function FormFrame({ presentation = 'dialog', formWidth = 640, title, container, onClose, children }: FormFrameProps) {
  if (presentation === 'page') {
    return (
      <PageFrame title={title} width={formWidth} onClose={onClose}>
        {children}
      </PageFrame>
    );
  }
  if (presentation === 'drawer') {
    return (
      <SidePanelSheet title={title} open onClose={onClose} width={formWidth}>
        <div className="crud-drawer">{children}</div>
      </SidePanelSheet>
    );
  }
  return (
    <ScreenDialog title={title} width={formWidth} container={container} maskClosable={false} onClose={onClose}>
      {children}
    </ScreenDialog>
  );
}

interface PageFrameProps {
  readonly title: string;
  readonly width: number;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Takes the place of the list, which stays mounted behind it. */
function PageFrame({ title, width, onClose, children }: PageFrameProps) {
  const t = useTranslation();
  const id = useId();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) onClose();
  };
  return (
    <section ref={section} className="crud-form-page" aria-labelledby={id} onKeyDown={onKeyDown}>
      <header className="crud-form-page__header">
        <IconButton label={t('form.back')} onClick={onClose}>
          <IconArrowLeft />
        </IconButton>
        <h2 id={id} className="crud-form-page__title">
          {title}
        </h2>
      </header>
      <div className="crud-form-page__body" style={{ maxWidth: Math.max(width, 960) }}>
        {children}
      </div>
    </section>
  );
}

const titles = { add: 'crud.addRecord', edit: 'crud.editRecord', view: 'crud.viewRecord' } as const;

type TitledScreen = Pick<CrudPageProps, 'crud' | 'fields' | 'noun' | 'actions'>;

/** Returns a function that builds the title of a form or view: the action, the kind of record and the name of the row. */
export function useRecordTitle({ crud, fields, noun, actions }: TitledScreen): (action: keyof typeof titles, row?: Row) => string {
  const t = useTranslation();
  return (action, row) => {
    const title = action === 'add' && actions?.add ? t(actions.add) : t(titles[action], { noun: noun ? t(noun) : '' }).trim();
    const name = row && rowName(crud.entity, row, t, fields);
    return name ? t('crud.recordNamed', { title, name }) : title;
  };
}
