import { render } from 'preact'
import { App } from './shell/App.js'
import './styles/base.css'
import './styles/shell.css'

render(<App />, document.getElementById('app')!)
