import { generateKeyPairSync } from 'node:crypto';
import { plugins } from '#deployment/server';
import type { Call, Crud, Entity } from '#shared/contract';
import { isChecked } from '../support/checked-plugins.ts';

/** A call of a plugin, with its name in the contract. */
export interface NamedCall {
  readonly name: string;
  readonly call: Call;
}

/** Type of the bundler's `require.context`. */
type Context = (path: string, options: { recursive: boolean; regExp: RegExp }) => (file: string) => Record<string, unknown>;
const modules = (import.meta as unknown as { webpackContext: Context }).webpackContext('../../src/plugins', { recursive: true, regExp: /contract\.ts$/ });

const isCall = (value: unknown): value is Call => typeof value === 'object' && value !== null && 'method' in value && 'input' in value && 'reply' in value;
const isCrud = (value: unknown): value is Crud => typeof value === 'object' && value !== null && 'entity' in value && 'list' in value;
const isEntity = (value: unknown): value is Entity => typeof value === 'object' && value !== null && 'row' in value && 'form' in value && 'owner' in value;

/** Returns all calls, screens and entities in the contracts of the checked plugins; with `() => true`, of all plugins of this deployment. */
export function census(includes: (id: string) => boolean = isChecked): { calls: NamedCall[]; cruds: { name: string; crud: Crud }[]; entities: Entity[] } {
  const contracts = plugins.filter(({ plugin: { id } }) => includes(id)).map(({ plugin: { id } }) => ({ id, module: modules(`./${id}/contract.ts`) }));
  const things = contracts.flatMap(({ id, module }) => Object.entries(module).map(([name, value]) => ({ name: `${id}.${name}`, value })));
  const cruds = things.flatMap(({ name, value }) => (isCrud(value) ? [{ name, crud: value }] : []));
  const lone = things.flatMap(({ name, value }) => (isCall(value) ? [{ name, call: value }] : []));
  const within = cruds.flatMap(({ name, crud }) =>
    Object.entries(crud).flatMap(([verb, value]) => (isCall(value) ? [{ name: `${name}.${verb}`, call: value }] : [])),
  );
  const once = new Map([...within, ...lone].map((named) => [named.call, named]));
  return {
    calls: [...once.values()],
    cruds: cruds.filter(({ crud }) => crud.detail && crud.remove && crud.list.path.endsWith('/list')),
    entities: things.flatMap(({ value }) => (isEntity(value) ? [value] : [])),
  };
}

/** Returns every reading call of the checked plugins, at any depth of their contracts. */
export function readingCalls(): NamedCall[] {
  const found = new Map<Call, string>();
  const look = (name: string, value: unknown): void => {
    if (isCall(value)) {
      if (value.method === 'GET' && !found.has(value)) found.set(value, name);
    } else if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
      for (const [part, inner] of Object.entries(value)) look(`${name}.${part}`, inner);
    }
  };
  for (const { id } of plugins.map(({ plugin }) => plugin).filter(({ id }) => isChecked(id)))
    for (const [name, value] of Object.entries(modules(`./${id}/contract.ts`))) if (!isEntity(value)) look(`${id}.${name}`, value);
  return [...found].map(([call, name]) => ({ name, call }));
}

/** Returns every screen of this deployment whose rows can be exported, at any depth of the contracts. */
export function exportedScreens(): { name: string; crud: Crud }[] {
  const found = new Map<Crud, string>();
  const look = (name: string, value: unknown): void => {
    if (isCrud(value) && value.export && !found.has(value)) found.set(value, name);
    if (typeof value !== 'object' || value === null || isCall(value) || isEntity(value) || Object.getPrototypeOf(value) !== Object.prototype) return;
    for (const [part, inner] of Object.entries(value)) look(`${name}.${part}`, inner);
  };
  for (const { plugin } of plugins) for (const [name, value] of Object.entries(modules(`./${plugin.id}/contract.ts`))) look(`${plugin.id}.${name}`, value);
  return [...found].map(([crud, name]) => ({ name, crud }));
}

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** Values that a plugin's own rules require of a new row beyond its schema. */
export const formSamples: Readonly<Record<string, Record<string, unknown>>> = {
  'tenant.tenant': { tenantName: '样例租户', linkman: '样例' },
  'settings.client': { clientId: 'sample', authorizedGrantTypes: ['password'], isPublic: false, autoapprove: false },
  'access.apiScope': { menuId: '', scopeName: '样例', resourceCode: 'sample', scopePath: '/api/sample/*', scopeType: 2 },
  'access.dataScope': { menuId: '', scopeName: '样例', resourceCode: 'sample', scopeType: 2, scopeField: '*' },
  'access.topMenu': { name: '样例', code: 'sample', sort: 1 },
  'access.menus': { name: '样例', code: 'sample', alias: 'menu', path: '/sample', sort: 1 },
  'dictionary.dict': { code: 'sample', dictValue: '样例', sort: 1, isSealed: 0 },
  'dictionary.dictBiz': { code: 'sample', dictValue: '样例', sort: 1, isSealed: 0 },
  'storage.oss': { category: '7', ossCode: 'sample' },
  'region.region': { code: '99', name: '样例', sort: 1 },
  'job.jobInfo': { jobServerId: '', jobName: '样例', timeExpressionType: 1, executeType: 1, processorInfo: 'job:clean-runs', enable: 0 },
  'job.jobWorkflow': { jobServerId: '', workflowName: '样例' },
  'payment.payChannel': {
    name: '样例',
    mchId: '1900000001',
    appId: 'wxsample',
    serialNo: 'ABC123',
    privateKey,
    apiV3Key: 'a sample key of thirty-two bytes',
    publicKeyId: 'PUB_KEY_ID_1',
    publicKey,
    sceneId: '1005',
    jobTitle: '样例',
    rewardNote: '样例',
  },
  'sms.sms': { smsCode: 'sample', category: '3', accessKey: 'key', secretKey: 'a sample secret', signName: '样例', templateId: 'SMS_1' },
  'sms.smsTemplate': { templateCode: 'sample-template', smsId: '', templateId: 'SMS_2' },
  'codegen.datasource': { name: '样例', driverClass: 'embedded' },
  'codegen.model': { modelName: '样例', datasourceId: '', modelTable: 'dict', modelClass: 'Sample', modelCode: 'sample' },
  'codegen.code': {
    codeName: '样例',
    englishName: 'Sample',
    modelId: '',
    serviceName: 'sample',
    tableName: 'sample',
    templateType: 'crud',
    menuGroup: 'base',
    apiPath: '/api/sample/sample',
    webPath: '/base/sample',
  },
  'social-sign-in.socialApp': { source: 'github', clientId: 'sample', clientSecret: 'a sample secret', isEnabled: 1 },
};
