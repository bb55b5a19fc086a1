@echo off
rem The gyre command on Windows: finds a JDK 25 or newer and runs on the cores of the JVM.
setlocal
set "java=java"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java"
if defined JAVA25_HOME set "java=%JAVA25_HOME%\bin\java"
"%java%" --version >nul 2>nul
if errorlevel 1 (
  echo gyre: a JDK 25 or newer is required; install one, or set JAVA_HOME to its folder>&2
  exit /b 1
)
"%java%" -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED %GYRE_JAVA_OPTIONS% -cp "%~dp0..\lib\*" dev.gyre.bench.cli.Gyre %*
