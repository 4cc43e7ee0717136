import { versions } from '#deployment/versions';

interface SharedModule {
  readonly version: string;
  readonly load: () => Promise<object>;
}

const shared = (version: string, load: SharedModule['load']): SharedModule => ({ version, load });

/** Modules provided to remote plugins, which do not bundle them: each is the console's own copy. */
export const sharedModules: Readonly<Record<string, SharedModule>> = {
  '#kernel': shared(versions['#kernel'], () => import(/* webpackChunkName: "shared" */ '#kernel')),
  react: shared(versions.react, () => import(/* webpackChunkName: "shared" */ 'react')),
  'react/jsx-runtime': shared(versions.react, () => import(/* webpackChunkName: "shared" */ 'react/jsx-runtime')),
  'react-dom': shared(versions['react-dom'], () => import(/* webpackChunkName: "shared" */ 'react-dom')),
  rxjs: shared(versions.rxjs, () => import(/* webpackChunkName: "shared" */ 'rxjs')),
  dayjs: shared(versions.dayjs, () => import(/* webpackChunkName: "shared" */ 'dayjs')),
  '@arco-design/web-react': shared(versions['@arco-design/web-react'], () => import(/* webpackChunkName: "shared" */ '@arco-design/web-react')),
};
