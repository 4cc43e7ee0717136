import { lazyComponent, type SignInMethod } from '#kernel';

const methods: readonly SignInMethod[] = [{ id: 'sms', title: ['手机号', 'Phone'], icon: 'phone', Step: lazyComponent(() => import('./PhoneStep.tsx')) }];
export default methods;
