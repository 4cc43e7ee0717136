import { Modal } from '@arco-design/web-react';
import { adaptArco } from './arco-adapter.ts';

adaptArco();

export { Modal };
