import { Message } from '@arco-design/web-react';
import { adaptArco } from './arco-adapter.ts';

adaptArco();

export { Message };
