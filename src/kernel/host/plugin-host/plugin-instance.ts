import { Observable, Subscription } from 'rxjs';
import type { EventToken } from '#shared/contract';
import { Bus, type Disposer } from '../../base/bus/bus.ts';
import type { MittBus } from '../../base/bus/mitt-bus.ts';
import type { Container } from '../../base/container/container.ts';
import type { Provide } from '../../base/container/services.ts';
import type { RegisteredContribution } from '../../ui/slots/slots.ts';
import { type Plugin, type PluginContext, PluginOptions, type Share } from '../plugin/plugin.ts';
import type { RegisteredPage } from './registered-pages.ts';

/** One run of a plugin, from wiring to stop: its container and its subscriptions. Calls after the stop do nothing. */
export class PluginInstance {
  readonly container: Container;
  readonly pages: readonly RegisteredPage[];
  readonly overrides: readonly RegisteredPage[];
  readonly contributions: readonly RegisteredContribution[];
  /** True once it has provided a service that other plugins may hold. */
  isShared = false;
  private readonly lifetime = new Subscription();
  private readonly bus: PluginBus;

  constructor(
    private readonly plugin: Plugin,
    private readonly console: Container,
    bus: MittBus,
  ) {
    this.container = console.createChild();
    this.bus = new PluginBus(bus, plugin.id, this.lifetime);
    this.container.bind(Bus, this.bus);
    this.container.bind(PluginOptions, { values: plugin.options ?? {} });
    const owner = { pluginId: plugin.id, services: this.container };
    this.pages = (plugin.pages ?? []).map((page) => ({ ...page, ...owner }));
    this.overrides = (plugin.overrides ?? []).map((page) => ({ ...page, ...owner }));
    this.contributions = (plugin.contributions ?? []).map((contribution) => ({ ...contribution, ...owner, pluginTitle: plugin.title }));
  }

  wire(): void | Promise<void> {
    const provide: Provide = (service, dependencies) => {
      if (!this.lifetime.closed) this.container.provide(service, dependencies);
    };
    const share: Share = (token, service) => {
      this.isShared = true;
      this.lifetime.add(this.console.bindFactory(token, () => this.container.get(service)));
    };
    return this.plugin.provide?.(provide, share);
  }

  start(): void | Promise<void> {
    const context: PluginContext = {
      options: this.plugin.options ?? {},
      get: (service) => this.container.get(service),
      find: (service) => this.container.find(service),
      on: (event, listener) => this.bus.on(event, listener),
      onStop: (teardown) => this.lifetime.add(teardown),
    };
    return this.plugin.start?.(context);
  }

  /** Disposes of everything; returns the errors of the parts that failed to stop. */
  stop(): unknown[] {
    const errors: unknown[] = [];
    for (const teardown of [() => this.lifetime.unsubscribe(), () => this.container.dispose()]) {
      try {
        teardown();
      } catch (error) {
        errors.push(error);
      }
    }
    return errors;
  }
}

/** Wraps the bus for one plugin: its listeners are attributed to it and end with it, its streams complete. */
class PluginBus extends Bus {
  constructor(
    private readonly bus: MittBus,
    private readonly pluginId: string,
    private readonly lifetime: Subscription,
  ) {
    super();
  }

  emit<Payload>(event: EventToken<Payload>, payload: Payload): void {
    this.bus.emit(event, payload, this.pluginId);
  }

  on<Payload>(event: EventToken<Payload>, listener: (payload: Payload) => void): Disposer {
    if (this.lifetime.closed) return () => undefined;
    const dispose = this.bus.on(event, listener, this.pluginId);
    this.lifetime.add(dispose);
    return () => {
      this.lifetime.remove(dispose);
      dispose();
    };
  }

  stream<Payload>(event: EventToken<Payload>): Observable<Payload> {
    return new Observable((subscriber) => {
      const complete = () => subscriber.complete();
      this.lifetime.add(complete);
      subscriber.add(() => this.lifetime.remove(complete));
      return this.on(event, (payload) => subscriber.next(payload));
    });
  }
}
