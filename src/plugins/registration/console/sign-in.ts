import { lazyComponent, type SignInMethod } from '#kernel';

const methods: readonly SignInMethod[] = [
  {
    id: 'register',
    title: ['没有账号？申请注册', 'No account? Request one'],
    isRegistration: true,
    Step: lazyComponent(() => import('./RegisterStep.tsx')),
    GuestStep: lazyComponent(() => import('./RegisterIdentityDialog.tsx')),
  },
];
export default methods;
