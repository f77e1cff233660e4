"""shell/tools"""
