import { Modal } from '@arco-design/web-react';
import { adaptArco } from './arco-adapter.ts';
import { Dialogs, type Question } from './dialogs.ts';

/** Questions by Arco's Modal; closing one in any way but its button is a no. */
export class ArcoDialogs extends Dialogs {
  constructor() {
    super();
    adaptArco();
  }

  confirm({ title, content, confirm, cancel, danger = false }: Question): Promise<boolean> {
    return new Promise((resolve) => {
      Modal.confirm({
        title,
        content,
        okText: confirm,
        cancelText: cancel,
        okButtonProps: danger ? { status: 'danger' } : {},
        onOk: () => resolve(true),
        onCancel: () => resolve(false),
      });
    });
  }

  /** Takes away what is still open; nobody is asked about a session that is over. */
  dispose(): void {
    Modal.destroyAll();
  }
}
