// The default theme with the reader's own fonts: nothing is loaded from elsewhere, and the package stays small.
export { default } from 'vitepress/theme-without-fonts'
