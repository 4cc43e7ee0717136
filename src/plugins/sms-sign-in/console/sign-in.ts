import { lazyComponent, type SignInMethod } from '#kernel';

const methods: readonly SignInMethod[] = [
  { id: 'sms', order: 1, title: ['手机号', 'Phone'], icon: 'phone', Step: lazyComponent(() => import('./PhoneStep.tsx')) },
];
export default methods;
