import { mount } from 'svelte';

import Host from './Host.svelte';

mount(Host, { target: document.getElementById('host') });
