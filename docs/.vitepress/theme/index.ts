import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import VersionSwitch from './VersionSwitch.vue'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('VersionSwitch', VersionSwitch)
  },
} satisfies Theme
