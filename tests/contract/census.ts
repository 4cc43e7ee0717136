import { generateKeyPairSync } from 'node:crypto';
import type { TObject } from 'typebox';
import { plugins } from '#deployment/server';
import type { Call, Crud, Entity } from '#shared/contract';
import { isChecked } from '../support/checked-plugins.ts';
import type { TestServer } from '../support/test-server.ts';

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

/** An entity with the call that adds and updates its rows. */
export interface EditedEntity {
  readonly name: string;
  readonly entity: Entity;
  readonly submit: Call;
}

/** Returns every entity of the checked plugins whose rows have a version and can be edited, with the call that saves them. */
export function editedEntities(): EditedEntity[] {
  const found = new Map<Call, EditedEntity>();
  const look = (name: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null || isCall(value) || isEntity(value) || Object.getPrototypeOf(value) !== Object.prototype) return;
    const { entity, submit } = value as { entity?: unknown; submit?: unknown };
    if (isEntity(entity) && isCall(submit) && 'version' in entity.form.properties && 'id' in ((submit.input as Partial<TObject>).properties ?? {}))
      found.set(submit, { name, entity, submit });
    for (const [part, inner] of Object.entries(value)) look(`${name}.${part}`, inner);
  };
  for (const { plugin } of plugins.filter(({ plugin: { id } }) => isChecked(id)))
    for (const [name, value] of Object.entries(modules(`./${plugin.id}/contract.ts`))) look(`${plugin.id}.${name}`, value);
  return [...found.values()];
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
  'wechat-pay.payChannel': {
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
  'payee.withholdingRule': { name: '样例', validFrom: '2999-01-01', basis: 3, bands: '0 3 0', source: '样例' },
  'payee.reportFormat': { name: '样例', validFrom: '2999-01-01', columns: '姓名 = name', source: '样例' },
  'alipay.alipayMerchant': { name: '样例', appId: '2021000000000001', privateKey, publicKey },
  'bank-file.bankAccount': { name: '样例', bank: '样例', account: '1202020011' },
  'sms.sms': { smsCode: 'sample', category: '3', accessKey: 'key', secretKey: 'a sample secret', signName: '样例', templateId: 'SMS_1' },
  'email.emailServer': { host: 'smtp.example.com', senderName: '样例', senderAddress: 'sample@example.com', consoleUrl: 'https://console.example.com' },
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

/** Adds the ids of existing rows to the samples that refer to them. */
export async function completeFormSamples(server: TestServer, headers: Record<string, string>): Promise<void> {
  const [page] = await server.sql("select id::text as id from menu where code = 'role'");
  for (const name of ['access.dataScope', 'access.apiScope']) Object.assign(formSamples[name] as object, { menuId: page?.id });
  const [source] = await server.sql('select id::text as id from datasource');
  Object.assign(formSamples['codegen.model'] as object, { datasourceId: source?.id });
  const made = { modelName: '样例', datasourceId: source?.id, modelTable: 'dict', modelClass: 'Other', modelCode: 'other' };
  Object.assign(formSamples['codegen.code'] as object, { modelId: (await server.post('/api/blade-develop/model/submit', made, { headers })).data.id });
  const { data } = await server.post('/api/blade-job/job-server/submit', { jobServerName: '样例', jobAppName: 'for the jobs of tests' }, { headers });
  for (const name of ['job.jobInfo', 'job.jobWorkflow']) Object.assign(formSamples[name] as object, { jobServerId: data.id });
  const channel = { ...formSamples['sms.sms'], smsCode: 'for-templates' };
  Object.assign(formSamples['sms.smsTemplate'] as object, { smsId: (await server.post('/api/blade-resource/sms/submit', channel, { headers })).data.id });
}
